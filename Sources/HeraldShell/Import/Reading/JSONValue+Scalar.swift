import Herald

extension Timestamp {
  /// A moment by the milliseconds since 1970, negative before.
  fileprivate init(milliseconds: Int) {
    let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
    self.init(
      seconds: rest < 0 ? seconds - 1 : seconds,
      nanoseconds: Int32(rest < 0 ? rest + 1000 : rest) * 1_000_000)
  }
}

extension JSONValue {
  /// A number without loss of precision; nil if the text is not one, or too large for a decimal.
  init?(number text: String) {
    switch NumberText.value(text) {
    case .int(let value)?: self = .int(value)
    case .double(let value)?: self = Self.isShort(text) ? .double(value) : Self.exact(text)
    case .decimal(let value)?: self = Self.isShort(text) ? .decimal(value) : Self.exact(text)
    case .null?, .bool?, .float?, .string?, .data?, .date?, .uuid?, .objectID?, .link?, .list?,
      .map?, nil:
      return nil
    }
  }

  /// Whether a decimal has room for all digits of a number, wherever its point is.
  private static func isShort(_ text: String) -> Bool { text.utf8.count <= 34 }

  private static func exact(_ text: String) -> JSONValue {
    switch ExactNumber(text) {
    case .double: Double(text).map { .double($0) } ?? .digits(text)
    case .decimal: Decimal128(text).map { .decimal($0) } ?? .digits(text)
    case .text: .digits(text)
    }
  }

  /// The value as one of a type other than links and any; nil if it cannot be converted.
  func scalar(as element: ElementType) -> Value? {
    switch element {
    case .bool: bool.map { .bool($0) }
    case .int: integer.map { .int($0) }
    case .float: float.map { .float($0) }
    case .double: number.map { .double($0) }
    case .decimal: decimal.map { .decimal($0) }
    case .string: string.map { .string($0) }
    case .data: string.flatMap { [UInt8](base64: $0) }.map { .data($0) }
    case .date:
      string.flatMap { Timestamp(iso8601: $0) ?? Timestamp(literal: $0) }.map { .date($0) }
    case .uuid: string.flatMap { UniqueID($0) }.map { .uuid($0) }
    case .objectID: string.flatMap { DocumentID($0) }.map { .objectID($0) }
    case .any, .link: nil
    }
  }

  /// The value as a primary key; text that is not a key of `element` is a string key.
  func key(as element: ElementType) -> Value? {
    if let key = scalar(as: element) { return key }
    if case .int(let number) = self { return .int(number) }
    return string.map { .string($0) }
  }

  /// Also `"yes"`, 1 and other ways to write a Boolean.
  private var bool: Bool? {
    switch self {
    case .bool(let value): return value
    case .int(let number): return number == 0 ? false : number == 1 ? true : nil
    case .string(var text): return text.withUTF8 { CellText.bool(CellText.trimmed($0)) }
    case .null, .double, .decimal, .digits, .array, .object: return nil
    }
  }

  /// The value of an object whose only member names its type, as MongoDB writes them: `{"$oid": "…"}`, and
  /// `{"$date": {"$numberLong": "1393804800000"}}` in milliseconds since 1970.
  var untagged: JSONValue? {
    guard case .object(let members) = self, members.count == 1,
      members[0].name.utf8.first == Byte.dollar
    else { return nil }
    let value = members[0].value
    switch (members[0].name, value) {
    case ("$date", _):
      guard case .int(let milliseconds) = value.untagged ?? value else { return value }
      return .string(Timestamp(milliseconds: milliseconds).iso8601)
    case ("$numberInt", .string(let text)), ("$numberLong", .string(let text)):
      return Int(text).map { .int($0) } ?? value
    case ("$numberDouble", .string(let text)): return JSONValue(number: text) ?? value
    default: return value
    }
  }

  private var string: String? {
    switch self {
    case .string(let text), .digits(let text): text
    case .null, .bool, .int, .double, .decimal, .array, .object: nil
    }
  }

  private var integer: Int? {
    switch self {
    case .int(let value): value
    case .double(let value): Int(exactly: value)
    case .decimal(let value): Int(exactly: value)
    case .null, .bool, .digits, .string, .array, .object: nil
    }
  }

  /// nil for a number that is out of range.
  private var float: Float? {
    guard let number else { return nil }
    let rounded = Float(number)
    return rounded.isInfinite && number.isFinite ? nil : rounded
  }

  /// nil for a number that is out of range. Infinities and NaN are written as strings.
  private var number: Double? {
    switch self {
    case .int(let value): return Double(value)
    case .double(let value): return value
    case .decimal(let value):
      let rounded = Double(value)
      return rounded.isFinite ? rounded : nil
    case .digits(let text): return Double(text).flatMap { $0.isFinite ? $0 : nil }
    case .string(let text): return CellText.specialNumbers.contains(text) ? Double(text) : nil
    case .null, .bool, .array, .object: return nil
    }
  }

  private var decimal: Decimal128? {
    switch self {
    case .int(let value): Decimal128(value)
    case .double(let value): Decimal128(value)
    case .decimal(let value): value
    case .string(let text), .digits(let text): Decimal128(text)
    case .null, .bool, .array, .object: nil
    }
  }
}
