import Herald

/// How a CSV file writes what CSV has no one form for: missing values, numbers and dates.
struct FieldNotation: Equatable {
  /// The fields that mean nil.
  var missing: [[UInt8]] = []
  /// The sign before the decimals of a number, and those between its thousands; nil for none.
  var decimal: UInt8?
  var thousands: [UInt8]?
  var dates: [DatePattern] = []

  var isUsual: Bool { self == FieldNotation() }
  private var hasNumbers: Bool { decimal != nil || thousands != nil }

  /// What a field becomes by this notation.
  enum Reading: Equatable {
    /// The text as it is.
    case same
    /// A missing value.
    case missing
    /// The usual form of the same value.
    case usual([UInt8])
    /// A text that would be a value in the usual form, and is none in this one.
    case invalid
  }

  /// What the values of a column are.
  enum Kind {
    case number, date, text, other
    /// A string that must not be nil.
    case requiredText
    /// A value of type any, in the form of JSON where that is no text.
    case value
    /// Not known: the first form that fits.
    case any

    init(_ type: PropertyType) {
      guard type.shape == .single else {
        self = .other
        return
      }
      switch type.element {
      case .int, .float, .double, .decimal: self = .number
      case .date: self = .date
      case .string: self = type.isOptional ? .text : .requiredText
      case .data: self = .text
      case .any: self = .value
      case .bool, .uuid, .objectID, .link: self = .other
      }
    }
  }

  /// Reads a field, in quotes or not.
  func reading(of field: CellText.Bytes, isQuoted: Bool, as kind: Kind) -> Reading {
    let bytes = isQuoted ? field : CellText.trimmed(field)
    if missing.contains(where: { $0.elementsEqual(bytes) }) {
      return kind == .requiredText ? .invalid : .missing
    }
    if bytes.isEmpty { return .same }
    if kind == .value { return value(bytes) }
    if kind == .date || kind == .any, let text = date(bytes) { return .usual(text) }
    if kind == .number || kind == .any, hasNumbers {
      if let number = number(bytes) { return .usual(number) }
      // What is a number only in the usual form would become another one.
      if CellText.isNumber(bytes) { return .invalid }
    }
    return .same
  }

  /// The same for a value of type any: what is a number in another notation is a text.
  private func value(_ bytes: CellText.Bytes) -> Reading {
    if let date = date(bytes) {
      let text = String(decoding: date, as: UTF8.self)
      return .usual(Array("{\"$date\":\(text.quoted)}".utf8))
    }
    if !hasNumbers { return .same }
    if let number = number(bytes) { return .usual(number) }
    if !CellText.isNumber(bytes) { return .same }
    return .usual(Array(String(decoding: bytes, as: UTF8.self).quoted.utf8))
  }

  /// The usual form of a date; that of the first pattern that fits.
  private func date(_ bytes: CellText.Bytes) -> [UInt8]? {
    dates.lazy.compactMap { $0.iso8601(bytes) }.first
  }

  /// The usual form of a number: `-1.250,75` is `-1250.75`.
  private func number(_ bytes: CellText.Bytes) -> [UInt8]? {
    var result: [UInt8] = []
    var index = 0
    if let sign = bytes.first, sign == Byte.minus || sign == Byte.plus {
      result.append(sign)
      index = 1
    }
    guard let end = wholePart(bytes, from: index, &result) else { return nil }
    index = end
    if index < bytes.count, bytes[index] == decimal ?? Byte.dot {
      result.append(Byte.dot)
      index += 1
    }
    while index < bytes.count {
      let byte = bytes[index]
      let isExponent = byte | 0x20 == UInt8(ascii: "e")
      let isSign =
        (byte == Byte.minus || byte == Byte.plus)
        && bytes[index - 1] | 0x20 == UInt8(ascii: "e")
      guard Byte.isDigit(byte) || isExponent || isSign else { return nil }
      result.append(byte)
      index += 1
    }
    return result.withUnsafeBufferPointer(CellText.isNumber) ? result : nil
  }

  /// Takes the digits before the decimals, whose groups behind the first have two or three, the last one three; returns
  /// where they end.
  private func wholePart(
    _ bytes: CellText.Bytes, from start: Int, _ result: inout [UInt8]
  ) -> Int? {
    var index = start
    var groups = [0]
    while index < bytes.count {
      if Byte.isDigit(bytes[index]) {
        result.append(bytes[index])
        groups[groups.count - 1] += 1
        index += 1
      } else if let thousands, bytes[index...].starts(with: thousands) {
        groups.append(0)
        index += thousands.count
      } else {
        break
      }
    }
    guard groups.count > 1 else { return index }
    let inner = groups.dropFirst().dropLast()
    guard (1...3).contains(groups[0]), groups.last == 3, bytes[start] != UInt8(ascii: "0"),
      inner.allSatisfy({ $0 == 3 }) || inner.allSatisfy({ $0 == 2 })
    else { return nil }
    return index
  }

  /// What is wrong with a field that `reading` calls invalid, or that no value can be read from.
  func expectation(of kind: Kind) -> String? {
    switch kind {
    case .number where hasNumbers:
      let decimal = String(UnicodeScalar(self.decimal ?? Byte.dot))
      let groups = thousands.map { " and thousands \(String(decoding: $0, as: UTF8.self).quoted)" }
      return "a number with decimal \(decimal.quoted)\(groups ?? "")"
    case .date where !dates.isEmpty:
      return "a date in the form " + dates.map(\.text.quoted).joined(separator: " or ")
    case .requiredText where !missing.isEmpty: return "a string that is not nil"
    case .number, .date, .text, .requiredText, .value, .other, .any: return nil
    }
  }
}
