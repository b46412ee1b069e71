import Herald

/// The fields of a record of a CSV file that has no quotes, and whose newline is in memory, as most are.
///
/// Eight bytes behind the text can be read.
struct PlainFields {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highBits: UInt64 = 0x8080_8080_8080_8080

  let bytes: UnsafePointer<UInt8>
  /// The end of what was read of the file.
  private let end: Int
  private let delimiter: UInt8
  private let quote: UInt8
  private let delimiters: UInt64
  private let newlines: UInt64

  init(_ buffer: ImportBuffer, _ dialect: CSVDialect) {
    bytes = UnsafePointer(buffer.bytes)
    end = buffer.end
    delimiter = dialect.delimiter
    quote = dialect.quote ?? UInt8(ascii: "\n")
    delimiters = Self.ones &* UInt64(delimiter)
    newlines = Self.ones &* UInt64(UInt8(ascii: "\n"))
  }

  /// Whether a record may begin here; an empty line may be none.
  @inline(__always)
  func mayBegin(at offset: Int) -> Bool { offset < end && bytes[offset] > UInt8(ascii: "\r") }

  /// Returns where a field that begins at `start` ends, whose last byte may be a carriage return; nil if it has quotes,
  /// if its record has too many fields or too few, or if its end is not in memory.
  @inline(__always)
  func end(from start: Int, isLast: Bool) -> Int? {
    guard start < end, bytes[start] != quote else { return nil }
    var offset = start
    while offset < end {
      let word = DecimalDigits.word(bytes + offset)
      let found = Self.zeros(word ^ delimiters) | Self.zeros(word ^ newlines)
      if found != 0 {
        offset &+= found.trailingZeroBitCount >> 3
        guard offset < end, bytes[offset] == (isLast ? UInt8(ascii: "\n") : delimiter) else {
          return nil
        }
        return offset
      }
      offset &+= 8
    }
    return nil
  }

  /// A word whose lowest bit that is set is in the lowest byte that is zero.
  @inline(__always)
  private static func zeros(_ word: UInt64) -> UInt64 { (word &- ones) & ~word & highBits }

  /// The bytes of a field.
  @inline(__always)
  func text(_ field: Range<Int>) -> CellText.Bytes {
    CellText.Bytes(start: bytes + field.lowerBound, count: field.upperBound &- field.lowerBound)
  }

  /// Whether a field has no control characters, such as carriage returns.
  @inline(__always)
  func isPrintable(_ field: Range<Int>) -> Bool { !any(field) { ($0 &- Self.ones &* 0x20) & ~$0 } }

  /// Whether a field is ASCII without control characters.
  @inline(__always)
  func isPrintableASCII(_ field: Range<Int>) -> Bool {
    !any(field) { ($0 &- Self.ones &* 0x20) | $0 }
  }

  /// Whether `bits` sets the highest bit of a byte of the field.
  @inline(__always)
  private func any(_ field: Range<Int>, _ bits: (UInt64) -> UInt64) -> Bool {
    var offset = field.lowerBound
    var found: UInt64 = 0
    while offset &+ 8 <= field.upperBound {
      found |= bits(DecimalDigits.word(bytes + offset))
      offset &+= 8
    }
    let rest = field.upperBound &- offset
    if rest > 0 {
      let unused = UInt64(truncatingIfNeeded: 64 &- 8 &* rest)
      found |= bits(DecimalDigits.word(bytes + offset)) &<< unused
    }
    return found & Self.highBits != 0
  }
}

// MARK: Numbers

extension PlainFields {
  /// A whole number of at most sixteen digits; nil for other texts.
  @inline(__always)
  func int(_ field: Range<Int>) -> Int? {
    var start = field.lowerBound
    let isNegative = bytes[start] == UInt8(ascii: "-")
    if isNegative { start &+= 1 }
    let count = field.upperBound &- start
    guard let magnitude = digits(start, count) else { return nil }
    return isNegative ? -magnitude : magnitude
  }

  /// A number of at most 15 digits, eight of them before the point and eight behind it; nil for other texts.
  @inline(__always)
  func double(_ field: Range<Int>, _ powersOfTen: UnsafePointer<Double>) -> Double? {
    var start = field.lowerBound
    let isNegative = bytes[start] == UInt8(ascii: "-")
    if isNegative { start &+= 1 }
    let word = DecimalDigits.word(bytes + start)
    let whole = min(DecimalDigits.count(word), field.upperBound &- start)
    guard whole > 0, let above = DecimalDigits.value(word, count: whole) else { return nil }
    let point = start &+ whole
    if point == field.upperBound {
      let value = Double(above)
      return isNegative ? -value : value
    }
    let count = field.upperBound &- point &- 1
    guard bytes[point] == UInt8(ascii: "."), count > 0, count <= 8, whole &+ count <= 15,
      let below = DecimalDigits.value(DecimalDigits.word(bytes + point + 1), count: count)
    else { return nil }
    let power = powersOfTen[count]
    // Whole numbers of 15 digits and powers of ten are exact, so that the quotient is the nearest double.
    let value = (Double(above) * power + Double(below)) / power
    return isNegative ? -value : value
  }

  @inline(__always)
  private func digits(_ start: Int, _ count: Int) -> Int? {
    guard count > 0, count <= 16 else { return nil }
    if count <= 8 {
      return DecimalDigits.value(DecimalDigits.word(bytes + start), count: count)
        .map(Int.init(truncatingIfNeeded:))
    }
    let rest = count &- 8
    guard let first = DecimalDigits.value(DecimalDigits.word(bytes + start), count: rest),
      let last = DecimalDigits.value(DecimalDigits.word(bytes + start + rest), count: 8)
    else { return nil }
    return Int(truncatingIfNeeded: first &* 100_000_000 &+ last)
  }

  /// The kind of a short number without a sign; nil for other texts.
  @inline(__always)
  func kind(_ field: Range<Int>) -> ScalarKinds? {
    let (start, end) = (field.lowerBound, field.upperBound)
    let whole = DecimalDigits.count(DecimalDigits.word(bytes + start))
    guard whole > 0, whole == 1 || bytes[start] != UInt8(ascii: "0") else { return nil }
    if start &+ whole == end {
      return whole == 1 && bytes[start] <= UInt8(ascii: "1") ? .bit : .int
    }
    let below = end &- start &- whole &- 1
    guard below > 0, below <= 8, whole &+ below < 15, bytes[start &+ whole] == UInt8(ascii: "."),
      DecimalDigits.count(DecimalDigits.word(bytes + start + whole + 1)) >= below
    else { return nil }
    return .double
  }
}
