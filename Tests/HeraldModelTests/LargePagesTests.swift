import Testing

@testable import HeraldModel

@Suite struct LargePagesTests {
  @Test(arguments: [0, 1, 1000, 1 << 19, 1 << 20])
  func `an array in large pages is one like any other`(count: Int) {
    var numbers = [Int](inLargePages: count)
    #expect(numbers.isEmpty && numbers.capacity >= count)
    for number in 0..<count + 10 { numbers.append(number) }
    #expect(numbers == Array(0..<count + 10))
  }

  @Test func `a request changes nothing in the memory or around it`() {
    let count = 1 << 20
    let memory = UnsafeMutableBufferPointer<Int>.allocateInLargePages(capacity: count)
    defer { memory.deallocate() }
    _ = memory.initialize(from: 0..<count)
    for (start, length) in [(0, count), (1, count - 1), (7, 1 << 19), (512, 12), (0, 0)] {
      LargePages.request(memory.baseAddress.map { $0 + start }, byteCount: length * 8)
    }
    LargePages.request(nil, byteCount: 1 << 30)
    #expect(memory.elementsEqual(0..<count))
  }
}
