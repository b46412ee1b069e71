package import HeraldModel

/// The form of dates in a text, `dd.MM.yyyy HH:mm`.
///
/// `yyyy`, `MM`, `dd`, `HH`, `mm` and `ss` have this many digits, `M`, `d`, `H`, `m` and `s` one or two; `yy` is a year from
/// 1969 to 2068, `MMM` and `MMMM` are months by their English names, `Jan` and `January`, and `hh` or `h` an hour of `a`, AM
/// or PM, in any case. Any other character but a letter stands for itself, letters in single quotes do, and `''` is a quote. What a
/// pattern lacks is the first month, the first day or zero.
package struct DatePattern: Equatable, Sendable {
  private enum Field: UInt8, CaseIterable {
    case year = 0x79
    case month = 0x4D
    case day = 0x64
    case hour = 0x48
    case minute = 0x6D
    case second = 0x73
    /// From 1 to 12.
    case hourOfHalf = 0x68
    /// AM or PM.
    case half = 0x61
  }

  private enum Part: Equatable {
    case field(Field, digits: ClosedRange<Int>)
    /// A month by the first letters of its name, or by all.
    case monthName(isWhole: Bool)
    case half
    case sign(UInt8)
  }

  /// Why a text is no pattern.
  package struct Invalid: Error {
    package let reason: String
  }

  package let text: String
  private let parts: [Part]

  /// Throws if the pattern has an unknown letter, a field twice, or no year.
  package init(_ text: String) throws(Invalid) {
    self.text = text
    parts = try Self.parts(of: Array(text.utf8))
    let fields = parts.compactMap { part -> Field? in
      switch part {
      case .field(let field, _): field
      case .monthName: .month
      case .half: .half
      case .sign: nil
      }
    }
    guard fields.contains(.hourOfHalf) == fields.contains(.half),
      !fields.contains(.half) || !fields.contains(.hour)
    else { throw Invalid(reason: "'h' and 'a', AM or PM, stand together in a form of dates") }
    guard fields.contains(.year) else {
      throw Invalid(reason: "a form of dates needs a year, yyyy or yy")
    }
    for field in fields where fields.filter({ $0 == field }).count > 1 {
      let letter = String(UnicodeScalar(field.rawValue))
      throw Invalid(reason: "'\(letter)' stands twice in the form of dates")
    }
  }

  private static func parts(of bytes: [UInt8]) throws(Invalid) -> [Part] {
    var parts: [Part] = []
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      let count = bytes[index...].prefix { $0 == byte }.count
      if let field = Field(rawValue: byte) {
        parts.append(try part(field, count))
        index += count
      } else if byte == Byte.singleQuote {
        index += 1
        if index < bytes.count, bytes[index] == Byte.singleQuote {
          parts.append(.sign(byte))
        } else {
          while index < bytes.count, bytes[index] != Byte.singleQuote {
            parts.append(.sign(bytes[index]))
            index += 1
          }
          if index == bytes.count {
            throw Invalid(reason: "a quote of the form of dates is never closed")
          }
        }
        index += 1
      } else if (byte | 0x20) &- UInt8(ascii: "a") < 26 {
        let letters = String(decoding: bytes[index..<index + count], as: UTF8.self)
        throw Invalid(reason: "unknown '\(letters)' in the form of dates; \(known)")
      } else {
        parts.append(.sign(byte))
        index += 1
      }
    }
    return parts
  }

  private static let known =
    "it may have yyyy, yy, MMMM, MMM, MM, M, dd, d, HH, H, hh, h, mm, m, ss, s and a"

  private static func part(_ field: Field, _ count: Int) throws(Invalid) -> Part {
    switch (field, count) {
    case (.half, 1): return .half
    case (.month, 3), (.month, 4): return .monthName(isWhole: count == 4)
    case (.year, 4), (.year, 2), (.month, 2), (.day, 2), (.hour, 2), (.hourOfHalf, 2), (.minute, 2),
      (.second, 2):
      return .field(field, digits: count...count)
    case (.month, 1), (.day, 1), (.hour, 1), (.hourOfHalf, 1), (.minute, 1), (.second, 1):
      return .field(field, digits: 1...2)
    default:
      let letters = String(repeating: String(UnicodeScalar(field.rawValue)), count: count)
      throw Invalid(reason: "unknown '\(letters)' in the form of dates; \(known)")
    }
  }

  /// The point in time that a text of this form means, in UTC; nil if it is of another form, or no such day exists.
  package func timestamp(_ text: UnsafeBufferPointer<UInt8>) -> Timestamp? {
    guard let iso8601 = iso8601(text) else { return nil }
    return iso8601.withUnsafeBufferPointer { Timestamp(iso8601: $0) }
  }

  /// The same date in the form of ISO 8601; nil if the text is of another form. It may be no date of the calendar.
  package func iso8601(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var values: [Field: Int] = [:]
    var index = 0
    for part in parts {
      switch part {
      case .sign(let byte):
        guard index < text.count, text[index] == byte else { return nil }
        index += 1
      case .field(let field, let digits):
        let start = index
        var value = 0
        while index < text.count, index - start < digits.upperBound, Byte.isDigit(text[index]) {
          value = value * 10 + Int(text[index] - UInt8(ascii: "0"))
          index += 1
        }
        guard index - start >= digits.lowerBound else { return nil }
        if field == .year, digits.upperBound == 2 { value += value < 69 ? 2000 : 1900 }
        values[field] = value
      case .monthName(let isWhole):
        guard
          let (month, name) = Self.months.enumerated().first(where: { _, name in
            Self.begins(text[index...], isWhole ? name : name.prefix(3))
          })
        else { return nil }
        values[.month] = month + 1
        index += isWhole ? name.count : 3
      case .half:
        guard let half = [0, 1].first(where: { Self.begins(text[index...], Self.halves[$0]) })
        else { return nil }
        values[.half] = half
        index += 2
      }
    }
    guard index == text.count else { return nil }
    if let hour = values[.hourOfHalf] {
      guard (1...12).contains(hour) else { return nil }
      values[.hour] = hour % 12 + (values[.half] == 1 ? 12 : 0)
    }
    var result: [UInt8] = []
    for (field, separator) in Self.ofISO8601 {
      let value = values[field] ?? (field == .month || field == .day ? 1 : 0)
      if field == .year { result += [value / 1000, value / 100 % 10].map(Self.digit) }
      result += [value / 10 % 10, value % 10].map(Self.digit)
      if let separator { result.append(separator) }
    }
    return result
  }

  /// The lowercase names of months and of the halves of a day.
  private static let months: [ArraySlice<UInt8>] = [
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
  ].map { Array($0.utf8)[...] }
  private static let halves: [ArraySlice<UInt8>] = ["am", "pm"].map { Array($0.utf8)[...] }

  /// Whether a text begins with letters, in any case.
  private static func begins(
    _ text: Slice<UnsafeBufferPointer<UInt8>>, _ letters: ArraySlice<UInt8>
  ) -> Bool {
    text.count >= letters.count && zip(text, letters).allSatisfy { $0 | 0x20 == $1 }
  }

  private static func digit(_ value: Int) -> UInt8 { UInt8(ascii: "0") + UInt8(value) }

  /// The fields of ISO 8601, and what separates each from the next.
  private static let ofISO8601: [(Field, UInt8?)] = [
    (.year, Byte.minus), (.month, Byte.minus), (.day, UInt8(ascii: "T")), (.hour, Byte.colon),
    (.minute, Byte.colon), (.second, nil),
  ]
}
