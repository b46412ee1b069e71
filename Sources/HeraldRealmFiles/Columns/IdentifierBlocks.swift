/// A leaf of object IDs or UUIDs, in blocks of 8: a byte whose bit *j* is set if value *j* is null,
/// then the values. The last block ends after its last value.
struct IdentifierBlocks {
  private let node: Node
  /// The number of bytes of a value.
  private let length: Int
  /// The number of values.
  let count: Int

  /// Reads the leaf at `ref`, whose values have `length` bytes.
  init(_ ref: Int, length: Int, _ reader: inout NodeReader) throws(Fault) {
    node = try reader.node(at: ref)
    guard !node.hasRefs, !node.isInner, node.form == .multiply, node.width == 1 || node.count == 0
    else { throw Fault(.wrongNode, at: ref) }
    self.length = length
    let block = 1 + 8 * length
    count = (node.count - (node.count + block - 1) / block) / length
  }

  /// Returns the first byte of the value at `index`; nil for null.
  func value(at index: Int) throws(Fault) -> UnsafeRawPointer? {
    guard index >= 0, index < count else { throw Fault(.missing(element: index), at: node.ref) }
    let start = index / 8 * (1 + 8 * length)
    let nulls = node.payload.load(fromByteOffset: start, as: UInt8.self)
    if nulls >> UInt8(index % 8) & 1 != 0 { return nil }
    let lower = start + 1 + index % 8 * length
    return try node.bytes(from: lower, to: lower + length).baseAddress
  }
}
