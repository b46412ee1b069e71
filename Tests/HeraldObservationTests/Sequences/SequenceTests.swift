import HeraldModel
import TestSupport
import Testing

@testable import HeraldObservation

struct SequenceTests {
  @Test(arguments: seeds(20))
  func `an ordered sequence is an array`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var array = (0..<random.below(2000)).map { _ in 1 + random.below(500) }
    var sequence = OrderedSequence(array)
    for round in 0..<3000 {
      let isGrowing = (round / 1000) % 2 == 0
      if array.isEmpty || random.oneIn(isGrowing ? 2 : 4) {
        let position = random.oneIn(3) ? array.count : random.below(array.count + 1)
        let number = 1 + random.below(random.oneIn(2) ? 500 : 100_000)
        array.insert(number, at: position)
        sequence.insert(number, at: position)
      } else {
        let position = random.oneIn(2) ? 0 : random.below(array.count)
        #expect(sequence.remove(at: position) == array.remove(at: position))
      }
      if round % 500 == 0 { #expect(sequence.violations == [], "seed \(seed)") }
      guard !array.isEmpty else { continue }
      let number = array[random.below(array.count)]
      #expect(sequence.positions(of: number) == array.indices.filter { array[$0] == number })
      let position = random.below(array.count)
      #expect(sequence.number(at: position) == array[position], "seed \(seed)")
    }
    var numbers: [Int] = []
    sequence.forEachNumber { numbers.append($0) }
    #expect(numbers == array, "seed \(seed)")
    for _ in 0..<array.count { sequence.remove(at: sequence.count - 1) }
    #expect(sequence.count == 0 && sequence.violations == [])
  }

  @Test(arguments: seeds(20))
  func `a sorted sequence finds positions by comparing`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var sequence = OrderedSequence()
    var array: [Int] = []
    for _ in 0..<3000 {
      let number = 1 + random.below(100_000)
      guard !sequence.contains(number) else { continue }
      let position = sequence.partition { $0 < number }
      #expect(position == array.count { $0 < number }, "seed \(seed)")
      sequence.insert(number, at: position)
      array.insert(number, at: position)
    }
    #expect(sequence.violations == [], "seed \(seed)")
    #expect(sequence.position(of: array[array.count / 2]) == array.count / 2)
  }

  @Test(arguments: [0, 1, 2, 5, 64])
  func `a search from any guess finds the same position`(count: Int) {
    let array = Array(0..<count)
    for edge in 0...count {
      for guess in -1...count + 1 {
        var calls = 0
        let found = array.partitionPoint(near: guess) {
          calls += 1
          return $0 < edge
        }
        let most = abs(guess - edge) > 2 ? 10 : 4
        guard found != edge || calls > most else { continue }
        Issue.record("\(edge) of \(count) from \(guess): \(found), \(calls) calls")
      }
    }
  }

  @Test(arguments: seeds(20))
  func `a member set is a sorted array`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var members = MemberSet()
    var model: Set<Int> = []
    for _ in 0..<2000 {
      let number = random.below(random.oneIn(20) ? 20_000 : 3000)
      if random.oneIn(3) {
        #expect(members.remove(number) == (model.remove(number) != nil))
      } else {
        #expect(members.insert(number) == model.insert(number).inserted)
      }
    }
    let sorted = model.sorted()
    #expect(members.violations == [] && members.count == sorted.count, "seed \(seed)")
    for (position, number) in sorted.enumerated() {
      #expect(members.number(at: position) == number && members.position(of: number) == position)
    }
    var listed: [Int] = []
    members.forEachMember { listed.append($0) }
    #expect(listed == sorted, "seed \(seed)")
    #expect(members.position(of: 1_000_000) == sorted.count)
  }

  @Test(arguments: seeds(20))
  func `a member set is an array or a bitset, as takes less memory`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let blockCount = 1 + random.below(60)
    let bound = blockCount * blockSize
    let numbers = Array(0..<bound).shuffled(using: &random).prefix(random.below(bound))
    var masks = [BlockMask](repeating: .zero, count: blockCount)
    var members = MemberSet()
    for number in numbers {
      masks[number / blockSize].insert(number % blockSize)
      members.insert(number)
    }
    let sorted = numbers.sorted()
    let built = MemberSet(masks)
    #expect(built.violations == [] && members.violations == [], "seed \(seed)")
    #expect((0..<built.count).map(built.number(at:)) == sorted, "seed \(seed)")
    #expect((0..<members.count).map(members.number(at:)) == sorted, "seed \(seed)")
    #expect((built == members) == (built.few == members.few && built.words == members.words))
    for (index, number) in numbers.enumerated() {
      #expect(members.positionIfMember(number) == members.position(of: number))
      members.remove(number)
      #expect(members.positionIfMember(number) == nil)
      if index % 100 == 0 { #expect(members.violations == [], "seed \(seed)") }
    }
    #expect(members.count == 0 && members.words.isEmpty && members.few.isEmpty)
  }

  @Test(arguments: seeds(20))
  func `token bits give the next one`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var bits = TwoLevelBitset()
    var model: Set<Int> = []
    for _ in 0..<500 {
      let value = random.below(random.oneIn(10) ? 20_000 : 300)
      if random.oneIn(2) {
        bits.insert(value)
        model.insert(value)
      } else {
        bits.remove(value)
        model.remove(value)
      }
      let start = random.below(20_000)
      #expect(bits.first(from: start) == model.filter { $0 >= start }.min(), "seed \(seed)")
    }
    #expect(bits.violations == [] && bits.count == model.count, "seed \(seed)")
  }

  @Test(arguments: seeds(300))
  func `the longest increasing subsequence keeps the lowest indices`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let keys = Array(0..<random.below(9)).shuffled(using: &random)
    var best: [Int] = []
    for choice in 0..<(1 << keys.count) {
      let indices = keys.indices.filter { choice & (1 << $0) != 0 }
      let isRising = zip(indices, indices.dropFirst()).allSatisfy { keys[$0] < keys[$1] }
      if isRising,
        indices.count > best.count
          || (indices.count == best.count && indices.lexicographicallyPrecedes(best))
      {
        best = indices
      }
    }
    #expect(LongestIncreasingSubsequence.indices(of: keys) == best, "seed \(seed)")
  }
}
