/// The change of one record's content, from the previous one to a new one, as the journal and streams have it.
///
///     key     := count, numbers of its 4-byte words, the rest           meta: no words, index: two
///     entry   := number, [number of links, for a reverse link]
///     change  := 0                                              the record is deleted
///              | 1 data                                         its whole content
///              | 2 count, (number gap, data)*                   bytes at offsets, of equal length
///              | 3 count prefix, count suffix, data             what is between both
///              | 4 byte kind, count, (byte row, value)*         rows of a block, which may be new
///              | 5 byte kind, count, value*                     the elements of a new list, in its root
///     value   := 0 | 1 signed | 2 u64le | 3 u32le | 4 signed nanoseconds | 5 data
///     data    := count, bytes
///
/// Numbers and counts are varints, signed ones in zigzag. A writer chooses the shortest form, and one from
/// which exactly its own bytes follow. A change is valid as long as the bytes that it was made of.
package enum ContentChange {
  case deleted
  case whole(UnsafeRawBufferPointer)
  case patched([(gap: Int, bytes: UnsafeRawBufferPointer)])
  case replaced(prefix: Int, suffix: Int, UnsafeRawBufferPointer)
  case rows(ColumnKind, [(row: Int, value: StoredValue)])
  case elements(ColumnKind, [StoredValue])

  /// The first byte of its encoded form.
  package enum Form: UInt8 {
    case deleted, whole, patched, replaced, rows, elements
  }

  /// The largest number of rows that are compared one by one.
  private static let rowLimit = 64

  /// Returns the shortest change; nil for a record that was both added and deleted.
  package init?(
    _ space: RecordSpace, _ key: [UInt8], from old: UnsafeRawBufferPointer?,
    to new: UnsafeRawBufferPointer?
  ) {
    guard let new else {
      if old == nil { return nil }
      self = .deleted
      return
    }
    guard let old else {
      self = .whole(new)
      if space == .columns, key.count == 12, let rows = Self.rows(nil, new), rows.size < size {
        self = rows
      }
      if space == .lists, let elements = Self.elements(new), elements.size < size {
        self = elements
      }
      return
    }
    // A record that was written again, with the same content, has another trailer.
    if old.elementsEqual(new) {
      self = .patched([])
      return
    }
    var best = ContentChange.difference(old, new)
    if space == .columns, key.count == 12, let rows = ContentChange.rows(old, new),
      rows.size < best.size
    {
      best = rows
    }
    self = best
  }

  /// Its size in bytes, when encoded.
  private var size: Int {
    var writer = PackedWriter()
    encode(&writer)
    return writer.bytes.count
  }

  private static func difference(
    _ old: UnsafeRawBufferPointer, _ new: UnsafeRawBufferPointer
  ) -> ContentChange {
    if old.count == new.count {
      var patches: [(gap: Int, bytes: UnsafeRawBufferPointer)] = []
      var (end, index) = (0, 0)
      while index < new.count {
        guard old[index] != new[index] else {
          index += 1
          continue
        }
        let start = index
        while index < new.count, old[index] != new[index] { index += 1 }
        patches.append((start - end, UnsafeRawBufferPointer(rebasing: new[start..<index])))
        end = index
      }
      let patched = ContentChange.patched(patches)
      if patched.size < new.count { return patched }
      return .whole(new)
    }
    let shorter = min(old.count, new.count)
    var (prefix, suffix) = (0, 0)
    while prefix < shorter, old[prefix] == new[prefix] { prefix += 1 }
    while suffix < shorter - prefix, old[old.count - 1 - suffix] == new[new.count - 1 - suffix] {
      suffix += 1
    }
    return .replaced(
      prefix: prefix, suffix: suffix,
      UnsafeRawBufferPointer(rebasing: new[prefix..<new.count - suffix]))
  }

  /// Returns the rows in which two blocks differ, or a new one from one of nil values; nil if the new one does not
  /// follow from them.
  private static func rows(
    _ old: UnsafeRawBufferPointer?, _ new: UnsafeRawBufferPointer
  ) -> ContentChange? {
    guard let latter = block(new), let kind = latter.kind else { return nil }
    let previous = old.flatMap(block)
    if old != nil, previous?.kind != kind { return nil }
    var rows: [(row: Int, value: StoredValue)] = []
    for row in 0..<256 {
      let isLarge = latter.isLarge(row)
      guard isLarge == previous?.isLarge(row) ?? false else { return nil }
      if isLarge { continue }
      let value = latter.isNull(row) ? StoredValue.null : latter.value(kind, row)
      let isNew = previous?.isNull(row) ?? true
      let before = isNew ? StoredValue.null : previous?.value(kind, row) ?? .null
      if value == before { continue }
      rows.append((row, value))
      if rows.count > rowLimit { return nil }
    }
    let result = ContentChange.rows(kind, rows)
    guard let made = result.content(from: old), made.elementsEqual(new) else { return nil }
    return result
  }

  /// Returns the elements of a list that are in its root; nil if the record does not follow from them.
  private static func elements(_ content: UnsafeRawBufferPointer) -> ContentChange? {
    guard let root = ListRoot(content), root.isInline, let kind = root.kind else { return nil }
    let block = root.inlineBlock
    guard 1...rowLimit ~= block.count else { return nil }
    let result = ContentChange.elements(kind, (0..<block.count).map { block.value(kind, $0) })
    guard let made = result.content(from: nil), made.elementsEqual(content) else { return nil }
    return result
  }

  package static func block(_ content: UnsafeRawBufferPointer) -> FlatBlock? {
    guard content.count >= FlatBlock.headerSize else { return nil }
    let block = FlatBlock(content)
    return block.isReadable && block.count == 256 ? block : nil
  }

  /// Returns the content that the change makes of the previous one; nil if it does not fit.
  package func content(from old: UnsafeRawBufferPointer?) -> [UInt8]? {
    switch self {
    case .deleted: return nil
    case .whole(let bytes): return Array(bytes)
    case .patched(let patches):
      guard let old else { return nil }
      var content = [UInt8](old)
      var position = 0
      for patch in patches {
        guard patch.gap <= content.count - position,
          patch.bytes.count <= content.count - position - patch.gap
        else { return nil }
        position += patch.gap
        content.replaceSubrange(position..<position + patch.bytes.count, with: patch.bytes)
        position += patch.bytes.count
      }
      return content
    case .replaced(let prefix, let suffix, let bytes):
      guard let old, prefix <= old.count, suffix <= old.count - prefix else { return nil }
      return [UInt8](old.prefix(prefix)) + bytes + [UInt8](old.suffix(suffix))
    case .rows(let kind, let rows):
      let draft: BlockDraft
      if let old {
        guard let block = Self.block(old), block.kind == kind else { return nil }
        draft = BlockDraft(kind, block)
      } else {
        draft = BlockDraft(kind, count: 256)
      }
      for (row, value) in rows {
        guard row < 256, value.fits(kind) else { return nil }
        draft.set(row, value)
      }
      let layout = BlockLayout(draft)
      return [UInt8](unsafeUninitializedCapacity: layout.size) { buffer, count in
        layout.encode(draft, into: UnsafeMutableRawBufferPointer(buffer))
        count = layout.size
      }
    case .elements(let kind, let values):
      guard old == nil, 1...ListRoot.longestRun ~= values.count else { return nil }
      let draft = BlockDraft(kind, count: values.count)
      for (row, value) in values.enumerated() {
        guard value.fits(kind) else { return nil }
        draft.set(row, value)
      }
      return ListRoot.inline(draft)
    }
  }
}

extension PackedWriter {
  /// A change to a content, whatever there was before.
  mutating func whole(_ content: some Collection<UInt8>) {
    byte(ContentChange.Form.whole.rawValue)
    data(content)
  }
}

extension ContentChange {
  package func encode(_ writer: inout PackedWriter) {
    switch self {
    case .deleted: writer.byte(Form.deleted.rawValue)
    case .whole(let bytes): writer.whole(bytes)
    case .patched(let patches):
      writer.byte(Form.patched.rawValue)
      writer.count(patches.count)
      for patch in patches {
        writer.count(patch.gap)
        writer.data(patch.bytes)
      }
    case .replaced(let prefix, let suffix, let bytes):
      writer.byte(Form.replaced.rawValue)
      writer.count(prefix)
      writer.count(suffix)
      writer.data(bytes)
    case .rows(let kind, let rows):
      writer.byte(Form.rows.rawValue)
      writer.byte(kind.rawValue)
      writer.count(rows.count)
      for (row, value) in rows {
        writer.byte(UInt8(row))
        writer.value(value)
      }
    case .elements(let kind, let values):
      writer.byte(Form.elements.rawValue)
      writer.byte(kind.rawValue)
      writer.count(values.count)
      for value in values { writer.value(value) }
    }
  }

  package init(_ reader: inout PackedReader) throws(PackedReader.Malformed) {
    guard let form = Form(rawValue: try reader.byte()) else { throw PackedReader.Malformed() }
    try self.init(form, &reader)
  }

  /// Reads the rest of a change whose form was read.
  init(_ form: Form, _ reader: inout PackedReader) throws(PackedReader.Malformed) {
    switch form {
    case .deleted: self = .deleted
    case .whole: self = .whole(try reader.data())
    case .patched:
      var patches: [(gap: Int, bytes: UnsafeRawBufferPointer)] = []
      for _ in 0..<(try reader.count(of: 2)) {
        patches.append((try reader.count(), try reader.data()))
      }
      self = .patched(patches)
    case .replaced:
      let (prefix, suffix) = (try reader.count(), try reader.count())
      self = .replaced(prefix: prefix, suffix: suffix, try reader.data())
    case .rows:
      guard let kind = ColumnKind(rawValue: try reader.byte()) else {
        throw PackedReader.Malformed()
      }
      var rows: [(row: Int, value: StoredValue)] = []
      for _ in 0..<(try reader.count(of: 2)) {
        rows.append((Int(try reader.byte()), try reader.value()))
      }
      self = .rows(kind, rows)
    case .elements:
      guard let kind = ColumnKind(rawValue: try reader.byte()) else {
        throw PackedReader.Malformed()
      }
      var values: [StoredValue] = []
      for _ in 0..<(try reader.count(of: 1)) { values.append(try reader.value()) }
      self = .elements(kind, values)
    }
  }
}
