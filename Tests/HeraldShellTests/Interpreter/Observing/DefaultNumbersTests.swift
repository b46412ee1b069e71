import Testing

@testable import HeraldShell

struct DefaultNumbersTests {
  @Test func `the next number is found by one look, however many are taken`() {
    var numbers = DefaultNumbers()
    var taken: Set<Int> = []
    var looks = 0
    for _ in 1...1_000 {
      let number = numbers.next {
        looks += 1
        return taken.contains($0)
      }
      #expect(number == taken.count + 1)
      taken.insert(number)
    }
    #expect(looks < 2_500)
  }

  @Test func `a number that was freed is given again, the smallest first`() {
    var numbers = DefaultNumbers()
    var taken: Set<Int> = []
    func take() -> Int {
      let number = numbers.next { taken.contains($0) }
      taken.insert(number)
      return number
    }
    for _ in 1...5 { _ = take() }
    for number in [4, 2] {
      taken.remove(number)
      numbers.free("t\(number)")
    }
    #expect((1...3).map { _ in take() } == [2, 4, 6])
  }

  @Test func `a name that only looks like a default one frees nothing`() {
    var numbers = DefaultNumbers()
    for name in ["t", "tt", "t0", "t-1", "t9", "dogs"] { numbers.free(name) }
    #expect(numbers.next { _ in false } == 1)
  }
}
