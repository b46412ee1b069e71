import HeraldModel
import TestSupport
import Testing

struct ChunkedArrayTests {
  @Test(arguments: seeds(10))
  func `Random changes of copies equal those of plain arrays`(_ seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var pairs: [(chunked: ChunkedArray<Int>, plain: [Int])] = [(ChunkedArray(), [])]
    for step in 0..<600 {
      var (chunked, plain) = pairs[Int.random(in: pairs.indices, using: &generator)]
      switch Int.random(in: 0..<6, using: &generator) {
      case 0 where !plain.isEmpty:
        let index = Int.random(in: plain.indices, using: &generator)
        chunked.remove(at: index)
        plain.remove(at: index)
      case 1 where !plain.isEmpty:
        let index = Int.random(in: plain.indices, using: &generator)
        chunked[index] = step
        plain[index] = step
      case 2:
        let count = Int.random(in: 0...plain.count, using: &generator)
        chunked = ChunkedArray(prefix: count, of: chunked)
        plain = Array(plain[..<count])
      default:
        for element in 0..<Int.random(in: 1...40, using: &generator) {
          chunked.append(element)
          plain.append(element)
        }
      }
      pairs.append((chunked, plain))
      if pairs.count > 8 { pairs.removeFirst() }
      #expect(Array(chunked) == plain)
      if step % 50 > 0 { continue }
      for pair in pairs { #expect(Array(pair.chunked) == pair.plain) }
    }
  }

  @Test func `A copy shares the chunks before its first change`() {
    let original = ChunkedArray(0..<200)
    var copy = original
    #expect(copy.sharedPrefixCount(with: original) == 200)
    copy.append(0)
    #expect(copy.sharedPrefixCount(with: original) == 192)
    copy[70] = 0
    #expect(copy.sharedPrefixCount(with: original) == 64)
    #expect(ChunkedArray(0..<200).sharedPrefixCount(with: original) == 0)
  }
}
