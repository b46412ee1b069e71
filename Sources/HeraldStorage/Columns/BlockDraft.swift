import HeraldModel

/// The values of one block while a transaction changes them: every value one word wide.
///
/// The word of a row is the integer; the bit pattern of a double or float; the seconds of a date;
/// for bytes, their start in the arena and, in the low half, their count. A nil row is zero. Used
/// by the thread of its transaction only.
package final class BlockDraft {
  package let kind: ColumnKind
  let count: Int
  let words: DraftWords
  @exclusivity(unchecked) private var nanoseconds: [Int32]
  @exclusivity(unchecked) var arena = ByteArena()
  @exclusivity(unchecked) private var flatForm: [UInt8]?

  /// Creates a draft of `count` values, all nil.
  package init(_ kind: ColumnKind, count: Int) {
    self.kind = kind
    self.count = count
    words = .allocate(count: count)
    nanoseconds = kind == .dates ? [Int32](repeating: 0, count: count) : []
  }

  deinit {
    words.free()
    arena.free()
  }

  @inline(__always) func isNull(_ row: Int) -> Bool { words.isNull(row) }
  @inline(__always) func isLarge(_ row: Int) -> Bool { words.isLarge(row) }

  /// The bytes of its strings and data.
  package var liveByteCount: Int { arena.liveCount }

  /// Whether every value is nil, so that the store needs no record.
  package var isAllNull: Bool {
    for word in 0..<FlatBlock.bitmapSize(count) / 8 where words.nils[word] != -1 { return false }
    return true
  }

  package func setInteger(_ row: Int, _ integer: Int) { words.set(row, integer) }

  func setDate(_ row: Int, _ date: Timestamp?) {
    nanoseconds[row] = date?.nanoseconds ?? 0
    words.set(row, date?.seconds)
  }

  /// Copies the bytes into the arena; nil clears the row. The row is no longer marked as large.
  package func setBytes(_ row: Int, _ bytes: UnsafeRawBufferPointer?) {
    let freed = words.values[row] & 0xFFFF_FFFF
    words.setLarge(row, false)
    guard let bytes else {
      arena.forget(freed)
      return words.set(row, nil)
    }
    let start = arena.append(bytes, forgetting: freed)
    words.set(row, start << 32 | bytes.count)
    if arena.isWasteful { compact() }
  }

  /// Copies the bytes of a row that is nil into the arena.
  @inline(__always) func beginBytes(_ row: Int, _ bytes: UnsafeRawBufferPointer) {
    words.set(row, arena.append(bytes, forgetting: 0) << 32 | bytes.count)
  }

  /// Marks the row's value as kept in a record of its own.
  func setLarge(_ row: Int) {
    setBytes(row, UnsafeRawBufferPointer(start: nil, count: 0))
    words.setLarge(row, true)
  }

  func date(_ row: Int) -> Timestamp {
    Timestamp(seconds: words.values[row], nanoseconds: nanoseconds[row])
  }

  /// The bytes at `row`, valid until the draft is next changed.
  func bytes(_ row: Int) -> UnsafeRawBufferPointer {
    let word = words.values[row]
    return arena.bytes(from: word >> 32, count: word & 0xFFFF_FFFF)
  }

  package func set(_ row: Int, _ value: StoredValue) {
    precondition(value.fits(kind), "a value of a kind other than its column's or list's")
    switch value {
    case .null:
      switch kind {
      case .integers, .doubles, .floats: words.set(row, nil)
      case .dates: setDate(row, nil)
      case .bytes: setBytes(row, nil)
      }
    case .integer, .double, .float: words.set(row, value.word)
    case .date(let date): setDate(row, date)
    case .bytes(let bytes): bytes.withUnsafeBytes { setBytes(row, $0) }
    }
  }

  func value(_ row: Int) -> StoredValue {
    guard !isNull(row) else { return .null }
    switch kind {
    case .integers: return .integer(words.values[row])
    case .doubles: return .double(Double(bitPattern: UInt64(UInt(bitPattern: words.values[row]))))
    case .floats: return .float(Float(bitPattern: UInt32(words.values[row])))
    case .dates: return .date(date(row))
    case .bytes: return .bytes([UInt8](bytes(row)))
    }
  }

  func takeNanoseconds(of block: FlatBlock) {
    for row in 0..<count { nanoseconds[row] = block.date(row).nanoseconds }
  }

  func withNanoseconds<Result>(_ body: (UnsafeBufferPointer<Int32>) -> Result) -> Result {
    nanoseconds.withUnsafeBufferPointer(body)
  }

  /// Calls `body` with the stored form of the draft, encoded once and kept until the next change.
  package func withFlatForm<Result>(_ body: (FlatBlock) throws -> Result) rethrows -> Result {
    let bytes: [UInt8]
    if let flatForm, !words.isUnencoded {
      bytes = flatForm
    } else {
      let layout = BlockLayout(self)
      bytes = [UInt8](unsafeUninitializedCapacity: layout.size) { buffer, count in
        layout.encode(self, into: UnsafeMutableRawBufferPointer(buffer))
        count = layout.size
      }
      flatForm = bytes
      words.noteEncoded()
    }
    return try bytes.withUnsafeBytes { try body(FlatBlock($0)) }
  }

  private func compact() {
    var compacted = ByteArena()
    for row in 0..<count where words.values[row] != 0 {
      let bytes = bytes(row)
      words.values[row] = compacted.append(bytes, forgetting: 0) << 32 | bytes.count
    }
    arena.free()
    arena = compacted
  }
}

extension BlockDraft {
  /// Creates a draft of a stored block: a few hundred nanoseconds for a column's block.
  package convenience init(_ kind: ColumnKind, _ block: FlatBlock) {
    self.init(kind, count: block.count)
    let values = UnsafeMutableBufferPointer(start: words.values, count: count)
    switch kind {
    case .integers, .doubles: block.widen(into: values)
    case .floats: for row in 0..<count { values[row] = Int(block.float(row).bitPattern) }
    case .dates:
      block.widen(into: values)
      takeNanoseconds(of: block)
    case .bytes: takeBytes(of: block)
    }
    words.setNils(block.nilBytes)
    words.noteUnchanged()
  }

  /// Copies the content in one piece; the words then hold the start of each value.
  private func takeBytes(of block: FlatBlock) {
    guard count > 0 else { return }
    let rows = block.byteRows
    let all = rows.all(count)
    var start = arena.append(all, forgetting: 0)
    for row in 0..<count {
      let size = rows[row].count
      if size > 0 || !block.isNull(row) { words.values[row] = start << 32 | size }
      if block.isLarge(row) { words.setLarge(row, true) }
      start += size
    }
  }
}
