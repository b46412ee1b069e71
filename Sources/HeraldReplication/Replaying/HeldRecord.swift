import HeraldStorage

/// A record that replayed commits have changed: its bytes, or a block whose rows were changed as a draft, which is
/// encoded when its bytes are needed.
final class HeldRecord {
  let key: PackedBlockKey
  /// That of the last commit that changed it.
  @exclusivity(unchecked) var version = 0
  @exclusivity(unchecked) private var bytes: UnsafeMutableRawBufferPointer?
  @exclusivity(unchecked) private var draft: BlockDraft?

  /// A record with a content, nil for a new one.
  init(_ key: PackedBlockKey, _ content: UnsafeRawBufferPointer?) {
    self.key = key
    if let content { replace(by: content) }
  }

  deinit { bytes?.deallocate() }

  /// About what it takes of the memory.
  var size: Int {
    (bytes?.count ?? 0) + (draft.map { 2304 + $0.liveByteCount } ?? 0) + 128
  }

  /// Its content, until it is changed; nil if it has none.
  var content: UnsafeRawBufferPointer? {
    if let bytes { return UnsafeRawBufferPointer(bytes) }
    guard let draft else { return nil }
    let layout = BlockLayout(draft)
    let encoded = UnsafeMutableRawBufferPointer.allocate(byteCount: layout.size, alignment: 8)
    layout.encode(draft, into: encoded)
    bytes = encoded
    return UnsafeRawBufferPointer(encoded)
  }

  /// The draft that alone has the newest content; nil if the bytes have it.
  var unencodedDraft: BlockDraft? { bytes == nil ? draft : nil }

  func replace(by content: UnsafeRawBufferPointer) {
    let new = UnsafeMutableRawBufferPointer.allocate(byteCount: content.count, alignment: 8)
    new.copyMemory(from: content)
    forgetBytes()
    bytes = new
    draft = nil
  }

  private func forgetBytes() {
    bytes?.deallocate()
    bytes = nil
  }

  /// Makes the change that `reader` has after its form. Errors: `Malformed` if it does not fit.
  func change(
    _ form: ContentChange.Form, _ reader: inout PackedReader
  ) throws(PackedReader.Malformed) {
    switch form {
    case .deleted, .elements: throw PackedReader.Malformed()
    case .whole: replace(by: try reader.data())
    case .patched: try patch(&reader)
    case .replaced:
      let (prefix, suffix) = (try reader.count(), try reader.count())
      let change = ContentChange.replaced(prefix: prefix, suffix: suffix, try reader.data())
      guard let new = change.content(from: content) else { throw PackedReader.Malformed() }
      new.withUnsafeBytes { replace(by: $0) }
    case .rows: try changeRows(&reader)
    }
  }

  private func patch(_ reader: inout PackedReader) throws(PackedReader.Malformed) {
    guard content != nil, let bytes else { throw PackedReader.Malformed() }
    draft = nil
    var position = 0
    for _ in 0..<(try reader.count(of: 2)) {
      let gap = try reader.count()
      let patch = try reader.data()
      guard gap <= bytes.count - position, patch.count <= bytes.count - position - gap else {
        throw PackedReader.Malformed()
      }
      position += gap
      for index in 0..<patch.count { bytes[position &+ index] = patch[index] }
      position += patch.count
    }
  }

  private func changeRows(_ reader: inout PackedReader) throws(PackedReader.Malformed) {
    let draft = try beginDraft(&reader)
    for _ in 0..<(try reader.count(of: 2)) {
      let row = Int(try reader.byte())
      try draft.set(row, from: &reader)
    }
    forgetBytes()
  }

  /// Sets rows to the values that a reader has after their kind.
  func setRows(
    _ numbers: Range<Int>, _ reader: inout PackedReader
  ) throws(PackedReader.Malformed) {
    let draft = try beginDraft(&reader)
    for number in numbers { try draft.set(number & 255, from: &reader) }
    forgetBytes()
  }

  /// Sets rows to nil; returns false if there is no value any more.
  func clearRows(_ numbers: Range<Int>) throws(PackedReader.Malformed) -> Bool {
    guard let kind = draft?.kind ?? content.flatMap(ContentChange.block)?.kind else {
      throw PackedReader.Malformed()
    }
    let draft = try beginDraft(kind)
    for number in numbers { draft.set(number & 255, .null) }
    forgetBytes()
    return !draft.isAllNull
  }

  private func beginDraft(
    _ reader: inout PackedReader
  ) throws(PackedReader.Malformed) -> BlockDraft {
    guard let kind = ColumnKind(rawValue: try reader.byte()) else {
      throw PackedReader.Malformed()
    }
    return try beginDraft(kind)
  }

  private func beginDraft(_ kind: ColumnKind) throws(PackedReader.Malformed) -> BlockDraft {
    if let draft {
      guard draft.kind == kind else { throw PackedReader.Malformed() }
      return draft
    }
    let new: BlockDraft
    if let bytes {
      guard let block = ContentChange.block(UnsafeRawBufferPointer(bytes)), block.kind == kind
      else { throw PackedReader.Malformed() }
      new = BlockDraft(kind, block)
    } else {
      new = BlockDraft(kind, count: 256)
    }
    draft = new
    return new
  }
}

extension BlockDraft {
  /// Sets a row to the value that a reader has next. Errors: `Malformed` if it is of another kind.
  fileprivate func set(
    _ row: Int, from reader: inout PackedReader
  ) throws(PackedReader.Malformed) {
    switch (try reader.byte(), kind) {
    case (1, .integers): setInteger(row, try reader.signed())
    case (5, .bytes): setBytes(row, try reader.data())
    case (let form, _):
      let value = try reader.value(of: form)
      guard value.fits(kind) else { throw PackedReader.Malformed() }
      set(row, value)
    }
  }
}
