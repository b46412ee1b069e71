/// A point in time: seconds since 1970-01-01 00:00:00 UTC, and nanoseconds (0 ..< 1_000_000_000)
/// counted forward from them.
public struct Timestamp: Hashable, Comparable, Sendable {
  /// Whole seconds since 1970.
  public let seconds: Int
  /// What follows the whole seconds.
  public let nanoseconds: Int32

  /// A moment by its distance from 1970.
  @inlinable public init(seconds: Int, nanoseconds: Int32 = 0) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// Whether the first moment is before the other.
  public static func < (a: Timestamp, b: Timestamp) -> Bool {
    (a.seconds, a.nanoseconds) < (b.seconds, b.nanoseconds)
  }
}

// The grammar of a point in time, always in UTC:
//
//   iso8601 = date [("T" | " " | "@") time ("Z" | ("+" | "-") hh ":" mm | "")]
//   literal = date "@" time  |  iso8601  |  "T" seconds ":" nanoseconds
//   date    = year "-" month "-" day
//   time    = hh ":" mm [":" ss ["." digits | ":" nanoseconds]]
//
// Without a time it is midnight, and without a zone UTC. Month and day have two digits; the literal may
// leave out their zeros if the time has its seconds, which it needs after "@".
//
// The calendar is the proleptic Gregorian one; years range from -999_999 to 999_999, and those
// before 0 or after 9999 have a sign or extra digits.

extension Timestamp {
  /// Parses `2026-11-21T10:30:00Z`, with up to nine decimals, a space or `@` in place of `T`, and an
  /// offset in place of `Z`, also without seconds; or `2026-11-21`. nil if the text is not a date. Without an
  /// offset it is UTC, without a time midnight.
  public init?(iso8601 text: String) {
    var text = text
    guard let stamp = text.withUTF8({ Timestamp(iso8601: $0) }) else { return nil }
    self = stamp
  }

  /// Parses the UTF-8 of a text, as `init(iso8601:)` does.
  package init?(iso8601 bytes: UnsafeBufferPointer<UInt8>) {
    var reader = TimestampReader(bytes)
    guard let stamp = reader.zonedDate(), reader.isAtEnd else { return nil }
    self = stamp
  }

  /// Parses `2026-11-21@10:30:00.5` and what `init(iso8601:)` does, and `T1763721000:0` for seconds and
  /// nanoseconds since 1970; nil if the text is none of them.
  public init?(literal text: String) {
    var text = text
    let stamp = text.withUTF8 { bytes -> Timestamp? in
      var reader = TimestampReader(bytes)
      let stamp = reader.isAtInstant ? reader.instant() : reader.zonedDate(mayBeShort: true)
      return reader.isAtEnd ? stamp : nil
    }
    guard let stamp else { return nil }
    self = stamp
  }

  /// `2026-11-21T10:30:00Z`, with at most nine decimals and no trailing zeros. A point beyond the
  /// calendar's years is written like `literal`.
  public var iso8601: String {
    calendarText(separator: "T", end: "Z") ?? instantText
  }

  /// `2026-11-21@10:30:00`: a literal of the command language for this point.
  public var literal: String { calendarText(separator: "@") ?? instantText }

  private var instantText: String {
    // Both parts carry the same sign in this form: -0.5 s is `T0:-500000000`.
    seconds < 0 && nanoseconds > 0
      ? "T\(seconds + 1):\(nanoseconds - 1_000_000_000)" : "T\(seconds):\(nanoseconds)"
  }

  /// Calls `body` with the UTF-8 of `iso8601`.
  package func withISO8601<R>(_ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R {
    try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: longestText) { buffer in
      if let count = write(to: buffer, separator: "T", end: "Z") {
        return try body(UnsafeBufferPointer(rebasing: buffer[..<count]))
      }
      var text = instantText
      return try text.withUTF8(body)
    }
  }

  private func calendarText(separator: Unicode.Scalar, end: Unicode.Scalar? = nil) -> String? {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: longestText) { buffer in
      write(to: buffer, separator: separator, end: end).map {
        String(decoding: buffer[..<$0], as: UTF8.self)
      }
    }
  }

  /// Returns the number of bytes that were written; nil beyond the calendar's years.
  private func write(
    to buffer: UnsafeMutableBufferPointer<UInt8>, separator: Unicode.Scalar, end: Unicode.Scalar?
  ) -> Int? {
    let day = daysSince1970
    guard let (year, month, date) = civil(day: day) else { return nil }
    let rest = seconds - day * 86_400
    var text = ASCIIWriter(buffer)
    if year < 0 { text.put("-") }
    text.put(abs(year), digits: abs(year) > 9999 ? abs(year) > 99_999 ? 6 : 5 : 4)
    text.put("-", month)
    text.put("-", date)
    text.put(separator, rest / 3600)
    text.put(":", rest / 60 % 60)
    text.put(":", rest % 60)
    if nanoseconds != 0 {
      var (decimals, digits) = (Int(nanoseconds), 9)
      while decimals % 10 == 0 { (decimals, digits) = (decimals / 10, digits - 1) }
      text.put(".")
      text.put(decimals, digits: digits)
    }
    if let end { text.put(end) }
    return text.count
  }
}

/// `-999999-12-31T23:59:59.123456789Z` has 33 bytes.
private let longestText = 40

/// Writes ASCII from left to right.
private struct ASCIIWriter {
  private let buffer: UnsafeMutableBufferPointer<UInt8>
  private(set) var count = 0

  init(_ buffer: UnsafeMutableBufferPointer<UInt8>) { self.buffer = buffer }

  mutating func put(_ sign: Unicode.Scalar) {
    buffer[count] = UInt8(ascii: sign)
    count += 1
  }

  /// Writes a sign and two digits.
  mutating func put(_ sign: Unicode.Scalar, _ number: Int) {
    put(sign)
    put(number, digits: 2)
  }

  /// Writes the lowest digits of a number.
  mutating func put(_ number: Int, digits: Int) {
    var rest = number
    for index in (count..<count + digits).reversed() {
      buffer[index] = UInt8(truncatingIfNeeded: rest % 10) + 0x30
      rest /= 10
    }
    count += digits
  }
}

extension Timestamp {
  /// A point in the calendar, in UTC.
  package struct CalendarParts {
    package let year, month, day, hour, minute: Int
  }

  /// The date and the time; nil beyond the calendar's years.
  package var calendarParts: CalendarParts? {
    let day = daysSince1970
    guard let (year, month, date) = civil(day: day) else { return nil }
    let rest = seconds - day * 86_400
    return CalendarParts(
      year: year, month: month, day: date, hour: rest / 3600, minute: rest / 60 % 60)
  }
}

extension Timestamp {
  /// The beginning of a year, in UTC; nil beyond the calendar's years.
  init?(year: Int) {
    guard abs(year) <= largestYear else { return nil }
    self.init(seconds: dayNumber(year: year, month: 1, day: 1) * 86_400)
  }
}

private let largestYear = 999_999

/// Returns the days since 1970-01-01 of a civil date (by eras of 400 years that begin in March).
private func dayNumber(year: Int, month: Int, day: Int) -> Int {
  let year = month <= 2 ? year - 1 : year
  let era = (year >= 0 ? year : year - 399) / 400
  let yearOfEra = year - era * 400
  let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
  let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

/// Returns the civil date of a day since 1970-01-01; nil beyond the calendar's years.
private func civil(day: Int) -> (year: Int, month: Int, day: Int)? {
  guard abs(day) < 400_000_000 else { return nil }
  let shifted = day + 719_468
  let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
  let dayOfEra = shifted - era * 146_097
  let yearOfEra =
    (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
  let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
  let shiftedMonth = (5 * dayOfYear + 2) / 153
  let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
  let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  guard abs(year) <= largestYear else { return nil }
  return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
}

private func dayCount(ofMonth month: Int, year: Int) -> Int {
  switch month {
  case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
  case 4, 6, 9, 11: 30
  default: 31
  }
}

/// Parses a date from left to right.
private struct TimestampReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  var isAtEnd: Bool { position == bytes.count }
  var isAtInstant: Bool { bytes.first == 0x54 }

  private func peek(_ byte: UInt8) -> Bool { position < bytes.count && bytes[position] == byte }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard peek(byte) else { return false }
    position += 1
    return true
  }

  /// Consumes `minimum` to `maximum` digits; nil if there are fewer, or the number is too large.
  private mutating func number(_ minimum: Int, _ maximum: Int) -> Int? {
    let start = position
    var result = 0
    while position < bytes.count, position - start < maximum,
      (0x30...0x39).contains(bytes[position])
    {
      let (product, overflow) = result.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(Int(bytes[position] - 0x30))
      guard !overflow, !carry else { return nil }
      result = sum
      position += 1
    }
    return position - start >= minimum ? result : nil
  }

  /// Consumes a date, with a time and an offset if they follow.
  ///
  /// - Parameter mayBeShort: whether month and day may have one digit.
  mutating func zonedDate(mayBeShort: Bool = false) -> Timestamp? {
    let isNegative = take(0x2D)
    guard let year = number(1, 6), take(0x2D) else { return nil }
    let start = position
    guard let month = number(1, 2), take(0x2D), let day = number(1, 2), (1...12).contains(month),
      (1...dayCount(ofMonth: month, year: year)).contains(day)
    else { return nil }
    let isShort = position - start < 5
    let midnight = dayNumber(year: isNegative ? -year : year, month: month, day: day) * 86_400
    if isAtEnd { return isShort ? nil : Timestamp(seconds: midnight) }
    let separator = bytes[position]
    guard separator | 0x20 == 0x74 || separator == 0x20 || separator == 0x40,
      !isShort || mayBeShort
    else { return nil }
    let needsSeconds = isShort || separator == 0x40
    position += 1
    guard let (second, nanoseconds) = time(needsSeconds: needsSeconds), let offset = offset() else {
      return nil
    }
    return Timestamp(seconds: midnight + second - offset, nanoseconds: nanoseconds)
  }

  /// Consumes a time; returns the seconds since midnight.
  private mutating func time(needsSeconds: Bool) -> (seconds: Int, nanoseconds: Int32)? {
    guard let hour = number(1, 2), take(0x3A), let minute = number(1, 2), hour < 24, minute < 60
    else { return nil }
    guard take(0x3A) else { return needsSeconds ? nil : (hour * 3600 + minute * 60, 0) }
    guard let second = number(1, 2), second < 60, let nanoseconds = decimals() else { return nil }
    return (hour * 3600 + minute * 60 + second, nanoseconds)
  }

  private mutating func decimals() -> Int32? {
    if take(0x3A) { return number(1, 9).map(Int32.init) }
    guard take(0x2E) else { return 0 }
    let start = position
    guard var value = number(1, 9) else { return nil }
    for _ in (position - start)..<9 { value *= 10 }
    return Int32(value)
  }

  /// Consumes an offset; returns the seconds east of UTC, 0 if there is none.
  private mutating func offset() -> Int? {
    if isAtEnd || take(0x5A) || take(0x7A) { return 0 }
    let isWest = peek(0x2D)
    guard take(0x2B) || take(0x2D), let hours = number(2, 2) else { return nil }
    _ = take(0x3A)
    guard let minutes = isAtEnd ? 0 : number(2, 2), hours < 24, minutes < 60 else { return nil }
    let east = hours * 3600 + minutes * 60
    return isWest ? -east : east
  }

  mutating func instant() -> Timestamp? {
    guard take(0x54) else { return nil }
    let isNegative = take(0x2D)
    guard let seconds = number(1, 19), take(0x3A) else { return nil }
    let isNegativeFraction = take(0x2D)
    guard let nanoseconds = number(1, 9),
      nanoseconds == 0 || seconds == 0 || isNegative == isNegativeFraction
    else { return nil }
    guard isNegative || isNegativeFraction, nanoseconds > 0 else {
      return Timestamp(seconds: isNegative ? -seconds : seconds, nanoseconds: Int32(nanoseconds))
    }
    return Timestamp(seconds: -seconds - 1, nanoseconds: Int32(1_000_000_000 - nanoseconds))
  }
}
