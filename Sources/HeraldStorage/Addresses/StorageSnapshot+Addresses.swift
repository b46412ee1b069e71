@_spi(Blocks) package import HeraldModel

/// What blocks all of whose values are zero have in the place of values: as many zeros as any width needs, and
/// eight bytes more.
///
/// `@unchecked Sendable`: never written.
private final class ZeroBlock: @unchecked Sendable {
  let base: UnsafeRawPointer

  static let shared = ZeroBlock()

  private init() {
    let size = 256 * 8 + 8
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    base = UnsafeRawPointer(memory)
  }
}

extension StorageSnapshot {
  /// Returns the address of a block, which was verified as its values are when they are read; nil for a block
  /// whose values have to be read one by one: one that does not exist or is damaged, one with dates or with values
  /// in records of their own, and those of a write transaction.
  package func address(
    _ column: ColumnID, _ kind: ColumnKind, block: Int, epoch: UInt64
  ) -> BlockAddress? {
    guard pending == nil, !hasFailed, case .flat(let flat) = source(column, block),
      flat.kindByte == kind.rawValue, flat.flags & FlatBlock.hasLarge == 0, kind != .dates
    else { return nil }
    let hasNils = flat.flags & FlatBlock.hasNils != 0
    if flat.width == 0 {
      guard !hasNils, kind != .bytes else { return nil }
      let width = kind == .floats ? 4 : 8
      return BlockAddress(
        values: ZeroBlock.shared.base, width: width, hasNils: false, epoch: epoch)
    }
    return BlockAddress(
      values: flat.values, width: flat.width, hasNils: hasNils, epoch: epoch)
  }

  /// Returns a whole block, which was verified as `address` says, for as long as the snapshot lasts; nil for a damaged
  /// one, one with dates or with values in records of their own, and those of a write transaction.
  package func storedBlock(_ column: ColumnID, _ kind: ColumnKind, block: Int) -> StoredBlock? {
    guard pending == nil, !hasFailed else { return nil }
    switch source(column, block) {
    case .draft: return nil
    case .absent: return hasFailed ? nil : .nothing
    case .flat(let flat):
      guard flat.kindByte == kind.rawValue, flat.flags & FlatBlock.hasLarge == 0 else { return nil }
      return flat.stored(kind)
    }
  }

  /// Returns the address of the presence of a block's objects; nil for that of a write transaction, and where no
  /// object is present.
  package func presenceAddress(_ classID: UInt32, block: Int, epoch: UInt64) -> BlockAddress? {
    guard pending == nil, !hasFailed, let bytes = presenceRecord(classID, block),
      let base = bytes.baseAddress
    else { return nil }
    return BlockAddress(values: base, width: 8, hasNils: false, epoch: epoch)
  }
}

extension FlatBlock {
  /// The block for readers that know no storage; nil if it has dates.
  func stored(_ kind: ColumnKind) -> StoredBlock? {
    let values = values
    let nilBits = nilBytes
    switch kind {
    case .dates: return nil
    case .integers:
      let form: StoredBlock.Form =
        switch width {
        case 1: .int8
        case 2: .int16
        case 4: .int32
        case 8: .int64
        default: .zeros
        }
      return StoredBlock(
        form, values: values, nilBits: nilBits, smallest: smallestWord, largest: largestWord)
    case .doubles:
      return StoredBlock(
        width == 0 ? .zeros : .doubles, values: values, nilBits: nilBits, smallest: smallestWord,
        largest: largestWord)
    case .floats:
      return StoredBlock(
        width == 0 ? .zeros : .floats, values: values, nilBits: nilBits, smallest: smallestWord,
        largest: largestWord)
    case .bytes:
      let rows = byteRows
      return StoredBlock(
        rows.isNarrow ? .narrowBytes : .wideBytes, values: values, nilBits: nilBits,
        size: rows.size)
    }
  }
}
