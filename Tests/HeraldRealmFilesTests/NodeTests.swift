import RealmFileBuilder
import Testing

@testable import HeraldRealmFiles

/// Integers, of each width, and headers.
struct NodeTests {
  /// Numbers that arrays of a width can have, and as they are read without a sign.
  private static let numbers: [(width: Int, values: [Int64], unsigned: [UInt64])] = [
    (0, [0, 0, 0], [0, 0, 0]),
    (1, [1, 0, 1, 1, 0, 0, 0, 0, 1], [1, 0, 1, 1, 0, 0, 0, 0, 1]),
    (2, [3, 0, 1, 2, 3], [3, 0, 1, 2, 3]),
    (4, [15, 0, 7], [15, 0, 7]),
    (8, [-128, 127, -1, 0], [128, 127, 255, 0]),
    (16, [-32768, 32767, -1], [32768, 32767, 65535]),
    (32, [-2_147_483_648, 2_147_483_647, -1], [1 << 31, 2_147_483_647, 1 << 32 - 1]),
    (64, [.min, .max, -1], [1 << 63, 1 << 63 - 1, .max]),
  ]

  @Test(arguments: numbers.indices)
  func `integers of each width are read with and without sign`(_ index: Int) throws {
    let (width, values, unsigned) = Self.numbers[index]
    var builder = RealmFileBuilder()
    let ref = builder.integers(values, width: width)
    var reader = NodeReader(FileBytes(builder.bytes), format: 24)
    let node = try reader.integers(at: ref)
    #expect(node.count == values.count)
    for (index, value) in values.enumerated() {
      #expect(try node.integer(index) == value)
      #expect(try node.unsigned(index) == unsigned[index])
    }
    #expect(try node.integers(values.count) == values)
    #expect(throws: Fault(.missing(element: values.count), at: ref)) {
      try node.integer(values.count)
    }
    #expect(throws: Fault(.missing(element: -1), at: ref)) { try node.integer(-1) }
    #expect(throws: Fault(.missing(element: values.count), at: ref)) {
      try node.integers(values.count + 1)
    }
  }

  @Test func `elements of arrays with refs are refs, numbers or nothing`() throws {
    var builder = RealmFileBuilder()
    let ref = builder.array([.ref(24), .tagged(7), .none, .tagged(1 << 61)])
    var reader = NodeReader(FileBytes(builder.bytes), format: 24)
    let node = try reader.array(at: ref)
    #expect(try node.optionalRef(0) == 24)
    #expect(try node.tagged(1) == 7)
    #expect(try node.optionalRef(2) == nil)
    #expect(try node.tagged(3) == 1 << 61)
    #expect(try node.tagged(9) == nil)
    #expect(throws: Fault(.missing(element: 1), at: ref)) { try node.optionalRef(1) }
    #expect(throws: Fault(.missing(element: 0), at: ref)) { try node.tagged(0) }
    #expect(throws: Fault(.missing(element: 2), at: ref)) { try node.requiredRef(2) }
  }

  @Test func `a ref that leads nowhere is refused`() {
    var builder = RealmFileBuilder()
    let ref = builder.integers([1, 2, 3])
    let bytes = builder.bytes
    func fault(_ ref: Int, _ bytes: [UInt8]) -> Fault? {
      do throws(Fault) {
        _ = try Node(FileBytes(bytes), at: ref)
        return nil
      } catch {
        return error
      }
    }
    #expect(fault(ref, bytes) == nil)
    #expect(fault(ref + 1, bytes) == Fault(.unaligned, at: ref + 1))
    #expect(fault(0, bytes) == Fault(.outside, at: 0))
    #expect(fault(-8, bytes) == Fault(.outside, at: -8))
    #expect(fault(bytes.count, bytes) == Fault(.outside, at: bytes.count))
    #expect(fault(Int.max & ~7, bytes) == Fault(.outside, at: Int.max & ~7))
    #expect(fault(16, bytes) == Fault(.noNode, at: 16))
    #expect(fault(ref, Array(bytes.dropLast(8))) == Fault(.outside, at: ref + 8))
    var compressed = bytes
    compressed[ref + 4] |= 0x18
    #expect(fault(ref, compressed) == Fault(.unknownNodeKind(0x1A), at: ref))
    var long = bytes
    long[ref + 5] = 0xFF
    #expect(fault(ref, long) == Fault(.outside, at: ref + 8))
  }
}
