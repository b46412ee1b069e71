extension FlatBlock {
  /// The kind of the values, nil if the block is malformed.
  package var kind: ColumnKind? { ColumnKind(rawValue: kindByte) }

  /// Whether the header matches the length, which must hold before anything else is read. O(1).
  package var isReadable: Bool {
    guard length >= Self.headerSize, base.load(as: UInt8.self) == Self.format else { return false }
    let bitmaps = (flags & Self.hasNils == 0 ? 0 : 1) + (flags & Self.hasLarge == 0 ? 0 : 1)
    let room = length - Self.headerSize - bitmaps * Self.bitmapSize(count)
    guard room >= 0, flags <= Self.hasNils | Self.hasLarge else { return false }
    switch kind {
    case nil: return false
    case .integers: return Self.isInteger(width) && room == count * width
    case .doubles: return (width == 0 || width == 8) && room == count * width
    case .floats: return (width == 0 || width == 4) && room == count * width
    case .dates:
      return Self.isInteger(width) && Self.isInteger(secondWidth)
        && room == count * (width + secondWidth)
    case .bytes:
      guard width == 2 || width == 4, room >= (count + 1) * width else { return false }
      return offset(count) == room - (count + 1) * width
    }
  }

  /// Where the bytes of a row begin.
  package func offset(_ row: Int) -> Int {
    width == 2
      ? Int(values.loadUnaligned(fromByteOffset: row * 2, as: UInt16.self))
      : Int(values.loadUnaligned(fromByteOffset: row * 4, as: UInt32.self))
  }

  private static func isInteger(_ width: Int) -> Bool {
    width == 0 || width == 1 || width == 2 || width == 4 || width == 8
  }
}
