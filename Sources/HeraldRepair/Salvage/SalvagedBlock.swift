import HeraldMaintenance
import HeraldStorage

/// A block of values that was verified, copied from the file.
struct SalvagedBlock {
  private let bytes: [UInt8]
  let count: Int
  let kind: ColumnKind

  /// Returns nil if the bytes are not a block, or an inconsistent one.
  init?(_ bytes: [UInt8]) {
    let known = bytes.withUnsafeBytes { bytes -> (Int, ColumnKind)? in
      let block = FlatBlock(bytes)
      guard bytes.count >= FlatBlock.headerSize,
        block.isReadable, block.inconsistencies(count: nil).isEmpty, let kind = block.kind
      else { return nil }
      return (block.count, kind)
    }
    guard let known else { return nil }
    self.bytes = bytes
    (count, kind) = known
  }

  /// The rows of a column's block that have a value.
  var known: SIMD4<UInt64> { bytes.withUnsafeBytes { ~FlatBlock($0).nils } }

  /// Returns whether the value of a row has a record of its own.
  func isLarge(_ row: Int) -> Bool { bytes.withUnsafeBytes { FlatBlock($0).isLarge(row) } }

  /// Returns the value of a row; empty bytes if it has a record of its own.
  func value(_ row: Int) -> StoredValue {
    bytes.withUnsafeBytes { FlatBlock($0).value(kind, row) }
  }

  /// All values in order.
  var values: [StoredValue] { (0..<count).map(value) }
}
