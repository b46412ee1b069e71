/// The values of one block while a transaction changes them: every value one word wide.
///
/// Word of a row: the integer; the bit pattern of a double or float; the seconds of a date; for
/// bytes, where they start in the arena and, in the low half, their number. A nil row is zero.
/// Only the thread of its transaction touches a draft.
final class BlockDraft {
  let kind: ColumnKind
  let count: Int
  /// Whether the draft differs from what the store holds.
  var isChanged = false

  /// `count` words, then the nil bitmap, then the bitmap of large values.
  private let storage: UnsafeMutablePointer<Int>
  private var nanoseconds: [Int32]
  private(set) var arena = ByteArena()
  private var flatForm: [UInt8]?

  /// A draft of `count` values, all nil.
  init(_ kind: ColumnKind, count: Int) {
    self.kind = kind
    self.count = count
    let bitmap = FlatBlock.bitmapSize(count) / 8
    storage = .allocate(capacity: count + 2 * bitmap)
    storage.initialize(repeating: 0, count: count)
    (storage + count).initialize(repeating: -1, count: bitmap)
    (storage + count + bitmap).initialize(repeating: 0, count: bitmap)
    nanoseconds = kind == .dates ? [Int32](repeating: 0, count: count) : []
  }

  deinit { storage.deallocate() }

  var words: UnsafeMutablePointer<Int> { storage }
  var nilWords: UnsafeMutablePointer<Int> { storage + count }
  var largeWords: UnsafeMutablePointer<Int> {
    storage + count + FlatBlock.bitmapSize(count) / 8
  }

  @inline(__always) func isNull(_ row: Int) -> Bool { nilWords[row >> 6] >> (row & 63) & 1 != 0 }
  @inline(__always) func isLarge(_ row: Int) -> Bool { largeWords[row >> 6] >> (row & 63) & 1 != 0 }

  /// Whether every value is nil, so that the store needs no record.
  var isAllNull: Bool {
    (0..<FlatBlock.bitmapSize(count) / 8).allSatisfy { nilWords[$0] == -1 }
  }

  @inline(__always) private func setNull(_ row: Int, _ isNull: Bool) {
    let bit = 1 << (row & 63)
    if isNull { nilWords[row >> 6] |= bit } else { nilWords[row >> 6] &= ~bit }
    isChanged = true
    if flatForm != nil { flatForm = nil }
  }

  /// Sets one word; nil clears the row.
  @inline(__always) func setWord(_ row: Int, _ word: Int?) {
    words[row] = word ?? 0
    setNull(row, word == nil)
  }

  func setDate(_ row: Int, _ date: (seconds: Int, nanoseconds: Int32)?) {
    nanoseconds[row] = date?.nanoseconds ?? 0
    setWord(row, date?.seconds)
  }

  /// Copies the bytes into the arena; nil clears the row. The row is no longer a large one.
  func setBytes(_ row: Int, _ bytes: UnsafeRawBufferPointer?) {
    let freed = words[row] & 0xFFFF_FFFF
    largeWords[row >> 6] &= ~(1 << (row & 63))
    guard let bytes else {
      arena.forget(freed)
      return setWord(row, nil)
    }
    let start = arena.append(bytes, forgetting: freed)
    setWord(row, start << 32 | bytes.count)
    if arena.isWasteful { compact() }
  }

  /// Notes that the row's value is kept in a record of its own.
  func setLarge(_ row: Int) {
    setBytes(row, UnsafeRawBufferPointer(start: nil, count: 0))
    largeWords[row >> 6] |= 1 << (row & 63)
  }

  func date(_ row: Int) -> (seconds: Int, nanoseconds: Int32) { (words[row], nanoseconds[row]) }

  /// The bytes at `row`, lent until the draft is next changed.
  func bytes(_ row: Int) -> UnsafeRawBufferPointer {
    arena.bytes(from: words[row] >> 32, count: words[row] & 0xFFFF_FFFF)
  }

  func set(_ row: Int, _ value: StoredValue) {
    switch value {
    case .null:
      switch kind {
      case .integers, .doubles, .floats: setWord(row, nil)
      case .dates: setDate(row, nil)
      case .bytes: setBytes(row, nil)
      }
    case .integer(let integer): setWord(row, integer)
    case .double(let double): setWord(row, Int(bitPattern: UInt(double.bitPattern)))
    case .float(let float): setWord(row, Int(float.bitPattern))
    case .date(let seconds, let nanoseconds): setDate(row, (seconds, nanoseconds))
    case .bytes(let bytes): bytes.withUnsafeBytes { setBytes(row, $0) }
    }
  }

  func value(_ row: Int) -> StoredValue {
    guard !isNull(row) else { return .null }
    switch kind {
    case .integers: return .integer(words[row])
    case .doubles: return .double(Double(bitPattern: UInt64(UInt(bitPattern: words[row]))))
    case .floats: return .float(Float(bitPattern: UInt32(words[row])))
    case .dates: return .date(seconds: words[row], nanoseconds: nanoseconds[row])
    case .bytes: return .bytes([UInt8](bytes(row)))
    }
  }

  func withNanoseconds<Result>(_ body: (UnsafeBufferPointer<Int32>) -> Result) -> Result {
    nanoseconds.withUnsafeBufferPointer(body)
  }

  /// Lends the stored form of the draft, made once and kept until the next change.
  func withFlatForm<Result>(_ body: (FlatBlock) throws -> Result) rethrows -> Result {
    let bytes: [UInt8]
    if let flatForm {
      bytes = flatForm
    } else {
      let layout = BlockLayout(self)
      bytes = [UInt8](unsafeUninitializedCapacity: layout.size) { buffer, count in
        layout.encode(self, into: UnsafeMutableRawBufferPointer(buffer))
        count = layout.size
      }
      flatForm = bytes
    }
    return try bytes.withUnsafeBytes { try body(FlatBlock($0)) }
  }

  private func compact() {
    let compacted = ByteArena()
    for row in 0..<count where words[row] != 0 {
      let bytes = bytes(row)
      words[row] = compacted.append(bytes, forgetting: 0) << 32 | bytes.count
    }
    arena = compacted
  }
}
