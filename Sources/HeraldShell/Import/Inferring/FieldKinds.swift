import Herald

/// What the fields of a column of a CSV file look like, noted without a reference to what is known of the column.
struct FieldKinds {
  /// nil if the column is skipped.
  private let column: Unmanaged<InferredValue>?
  private let position: Int
  let isKey: Bool
  private var kinds: ScalarKinds = []
  private var hasNil = false
  private var hasEmptyText = false

  /// `value`, nil for a column that is skipped, must outlive it.
  init(position: Int, value: InferredValue?) {
    self.position = position
    column = value.map { .passUnretained($0) }
    isKey = value?.key != nil
    if value == nil { kinds = .text }
  }

  /// Notes the field of the record that was read last.
  mutating func note(_ reader: inout CSVReader) {
    if column == nil { return }
    let bytes = reader.bytes(position)
    let isQuoted = reader.isQuoted(position)
    if bytes.isEmpty {
      if isQuoted { hasEmptyText = true } else { hasNil = true }
    } else if !kinds.contains(.text) {
      kinds.insert(ScalarKinds.kind(of: isQuoted ? bytes : CellText.trimmed(bytes)))
    }
    if isKey { noteKey(bytes) }
  }

  /// Notes a field without quotes, but not whether it is unique; returns false if its record has to be read in another
  /// way.
  @inline(__always)
  mutating func note(_ plain: PlainFields, _ field: Range<Int>) -> Bool {
    if field.isEmpty {
      hasNil = true
    } else if kinds.contains(.text) {
      return plain.isPrintable(field)
    } else if let kind = plain.kind(field) {
      kinds.insert(kind)
    } else {
      guard plain.isPrintable(field) else { return false }
      kinds.insert(Self.kind(of: plain.text(field)))
    }
    return true
  }

  @inline(never)
  private static func kind(of bytes: CellText.Bytes) -> ScalarKinds {
    ScalarKinds.kind(of: CellText.trimmed(bytes))
  }

  @inline(never)
  func noteKey(_ bytes: CellText.Bytes) { column?._withUnsafeGuaranteedRef { $0.noteKey(bytes) } }

  /// Adds what was noted to what is known of the column.
  func report() {
    column?._withUnsafeGuaranteedRef { $0.note(kinds, hasNil: hasNil, hasEmptyText: hasEmptyText) }
  }
}
