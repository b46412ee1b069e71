import HeraldStorage

/// The key of a block of a column, of its presence, or of a class.
struct PackedBlockKey: Hashable {
  /// Its size in bytes, which no other record of `columns` has.
  static let size = 12

  /// The class and the property, as `ColumnID` packs them.
  let column: UInt64
  let block: UInt32

  init(column: UInt64, block: UInt32) {
    self.column = column
    self.block = block
  }

  init?(_ key: UnsafeRawBufferPointer) {
    guard key.count == Self.size else { return nil }
    column = key.bigEndian(at: 0, as: UInt64.self)
    block = key.bigEndian(at: 8, as: UInt32.self)
  }

  /// Whether it is that of the presence of a class's objects, or of its record.
  var isPresence: Bool { UInt32(truncatingIfNeeded: column) == 0 }

  var fixed: FixedKey {
    let column = ColumnID(
      classID: UInt32(column >> 32), propertyID: UInt32(truncatingIfNeeded: column))
    return .block(column, Int(block))
  }
}

extension PackedReader {
  /// Reads the key of a block; returns nil, and reads nothing, if the next key is that of another record.
  @inline(__always)
  mutating func blockKey() throws(Malformed) -> PackedBlockKey? {
    guard let size = rest.first, size == PackedBlockKey.size else { return nil }
    _ = try byte()
    let (classID, property) = (try word(), try word())
    return PackedBlockKey(column: UInt64(classID) << 32 | UInt64(property), block: try word())
  }
}
