import HeraldStorage

/// The changes of the records of objects that a commit has added or deleted, and whose numbers follow one another in
/// one block: shorter than the changes of the records themselves.
///
///     objects := byte (16 added | 17 deleted), class, first number, count, count columns, column*
///     column  := property, byte kind, value*           of each object, if they are added
///              | property                              all of them are nil
///
/// The presence of the objects, the class's record and the rows of the columns follow from them: the next object of
/// the class gets a number above that of the last added one, and a record whose values are all nil is deleted. Numbers
/// are encoded as in `ContentChange`.
struct ObjectsChange {
  /// The first byte, which is not the number of a database.
  enum Form: UInt8 {
    case added = 16
    case deleted
  }

  private struct Column {
    let property: UInt32
    let kind: ColumnKind
    let values: [StoredValue]
  }

  typealias Contents = (PackedBlockKey) -> UnsafeRawBufferPointer?

  private let form: Form
  private let classID: UInt32
  private let numbers: Range<Int>
  private var columns: [Column] = []

  /// Returns the change of the objects of a class in one block, if the changed presence is all that has changed of the
  /// class: `old` and `new` return the records before and after.
  init?(_ presence: PackedBlockKey, _ old: Contents, _ new: Contents) {
    classID = UInt32(presence.column >> 32)
    guard let (form, rows) = Self.rows(Self.mask(old(presence)), Self.mask(new(presence))) else {
      return nil
    }
    let first = Int(presence.block) << 8
    self.form = form
    numbers = first + rows.lowerBound..<first + rows.upperBound
    let key = PackedBlockKey(column: presence.column, block: .max)
    guard let after = new(key).flatMap({ ClassRecord($0) }),
      let before = old(key).map({ ClassRecord($0) }) ?? ClassRecord(),
      Self.changed(before, form, numbers) == after
    else { return nil }
  }

  /// Takes the rows of a column; returns false if more has changed of it than they.
  mutating func take(_ key: PackedBlockKey, _ old: Contents, _ new: Contents) -> Bool {
    let property = UInt32(truncatingIfNeeded: key.column)
    guard property > 0, UInt32(key.column >> 32) == classID,
      Int(key.block) == numbers.lowerBound >> 8
    else { return false }
    let (before, after) = (old(key), new(key))
    let source = form == .added ? after : before
    guard let block = source.flatMap(ContentChange.block), let kind = block.kind else {
      return false
    }
    let draft: BlockDraft
    if let before {
      guard let previous = ContentChange.block(before), previous.kind == kind else { return false }
      draft = BlockDraft(kind, previous)
    } else {
      draft = BlockDraft(kind, count: 256)
    }
    var values: [StoredValue] = []
    for number in numbers {
      let row = number & 255
      guard !block.isLarge(row) else { return false }
      let value = form == .added ? block.value(kind, row) : .null
      draft.set(row, value)
      values.append(value)
    }
    guard Self.isEncoded(draft, as: after) else { return false }
    columns.append(Column(property: property, kind: kind, values: values))
    return true
  }

  /// Returns whether a draft is stored as a record, nil for none.
  private static func isEncoded(_ draft: BlockDraft, as content: UnsafeRawBufferPointer?) -> Bool {
    if draft.isAllNull { return content == nil }
    return draft.withFlatForm { flat in
      content.map { UnsafeRawBufferPointer(start: flat.base, count: flat.length).elementsEqual($0) }
        ?? false
    }
  }

  func encode(_ writer: inout PackedWriter) {
    writer.byte(form.rawValue)
    writer.number(UInt64(classID))
    writer.count(numbers.lowerBound)
    writer.count(numbers.count)
    writer.count(columns.count)
    for column in columns {
      writer.number(UInt64(column.property))
      guard form == .added else { continue }
      writer.byte(column.kind.rawValue)
      for value in column.values { writer.value(value) }
    }
  }

  // MARK: Presence and the class's record

  static func mask(_ presence: UnsafeRawBufferPointer?) -> SIMD4<UInt64>? {
    guard let presence else { return .zero }
    guard presence.count == ClassRecord.presenceSize else { return nil }
    return presence.loadUnaligned(as: SIMD4<UInt64>.self)
  }

  /// Returns the rows that were added or deleted, if nothing else has changed and they follow one another.
  private static func rows(
    _ old: SIMD4<UInt64>?, _ new: SIMD4<UInt64>?
  ) -> (Form, Range<Int>)? {
    guard let old, let new else { return nil }
    let (added, deleted) = (new & ~old, old & ~new)
    guard (added == .zero) != (deleted == .zero) else { return nil }
    let changed = added == .zero ? deleted : added
    var (first, last, count) = (256, 0, 0)
    for word in 0..<4 where changed[word] != 0 {
      first = min(first, word * 64 + changed[word].trailingZeroBitCount)
      last = word * 64 + 63 - changed[word].leadingZeroBitCount
      count += changed[word].nonzeroBitCount
    }
    guard count == last - first + 1 else { return nil }
    return (added == .zero ? .deleted : .added, first..<last + 1)
  }

  /// Returns the record of a class after the change.
  static func changed(_ record: ClassRecord, _ form: Form, _ numbers: Range<Int>) -> ClassRecord {
    var record = record
    switch form {
    case .added:
      record.next = max(record.next, numbers.upperBound)
      record.count += numbers.count
    case .deleted: record.count -= numbers.count
    }
    return record
  }

  /// Returns the presence after the change; nil if the change does not fit it.
  static func changed(
    _ mask: SIMD4<UInt64>, _ form: Form, _ numbers: Range<Int>
  ) -> SIMD4<UInt64>? {
    var mask = mask
    for number in numbers {
      let word = number >> 6 & 3
      let bit: UInt64 = 1 << UInt64(number & 63)
      guard (mask[word] & bit == 0) == (form == .added) else { return nil }
      mask[word] ^= bit
    }
    return mask
  }
}
