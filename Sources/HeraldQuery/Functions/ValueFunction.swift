import HeraldModel

/// A function of values: `round(x, 1)`, `name.lower`, `name.replace("a", "b")`. Of nil it is nil.
package enum ValueFunction: Sendable, Equatable {
  case measure(ValueMeasure)
  /// To the nearest, half away from zero, with a number of decimals.
  case round
  case floor, ceil, abs, sqrt
  /// Conversions.
  case int, double, decimal, string
  /// A text of a form, or of ISO 8601, as a date.
  case date(DatePattern?)
  /// A text with each occurrence of another replaced.
  case replace
  /// A date so many seconds later.
  case later(seconds: Int)
  /// One that the program brings.
  case program(ProgramFunction)

  /// Those that stand before their arguments, by name.
  package static let named: [String: ValueFunction] = [
    "round": .round, "floor": .floor, "ceil": .ceil, "abs": .abs, "sqrt": .sqrt, "int": .int,
    "double": .double, "decimal": .decimal, "string": .string, "date": .date(nil),
  ]

  /// Those that stand behind their first argument and have others in parentheses, by name.
  package static let suffixes: [String: ValueFunction] = ["replace": .replace]

  /// How many arguments it has.
  var argumentCounts: ClosedRange<Int> {
    switch self {
    case .round, .date: 1...2
    case .replace: 3...3
    case .program(let function): function.arguments.count...function.arguments.count
    case .measure, .floor, .ceil, .abs, .sqrt, .int, .double, .decimal, .string, .later: 1...1
    }
  }

  /// The types of an argument.
  func accepts(_ element: ElementType, at index: Int) -> Bool {
    if element == .any { return true }
    switch self {
    case .measure, .later: return true
    case .round where index > 0: return element == .int
    case .round, .floor, .ceil, .abs, .sqrt: return element.isNumber
    case .int, .double, .decimal:
      return element.isNumber || element == .string || element == .bool
    case .string: return !element.isLink
    case .date: return element == .string || element == .date && index == 0
    case .replace: return element == .string
    case .program(let function): return function.accepts(element, at: index)
    }
  }

  /// What an argument must be, in messages.
  func need(at index: Int) -> String {
    switch self {
    case .round where index > 0: "a number of decimals"
    case .round, .floor, .ceil, .abs, .sqrt, .measure, .later: "a number"
    case .int, .double, .decimal: "a number or a string"
    case .string: "a value"
    case .date: "a string"
    case .replace: "a string"
    case .program(let function): "'\(function.arguments[index])'"
    }
  }

  /// The type of the result; nil if it is that of nil.
  func element(of first: ElementType?) -> ElementType? {
    switch self {
    case .measure(let measure): measure.element
    case .round, .floor, .ceil, .abs: first
    case .sqrt, .double: .double
    case .int: .int
    case .decimal: .decimal
    case .string, .replace: .string
    case .date, .later: .date
    case .program(let function): function.result
    }
  }

  /// Applies the function; nil where an argument is nil, or where there is no result.
  func apply(to value: Value, _ rest: [Value] = []) -> Value {
    if case .measure(let measure) = self { return measure.apply(to: value) }
    if value.isNull || rest.contains(where: \.isNull) { return .null }
    switch self {
    case .measure: return .null
    case .round: return rounded(value, rest.first ?? .null)
    case .floor: return value.rounded(.down, 0)
    case .ceil: return value.rounded(.up, 0)
    case .abs: return absolute(value)
    case .sqrt: return value.number.map { .double($0.asDouble.squareRoot()) } ?? .null
    case .int: return value.asInt.map(Value.int) ?? .null
    case .double: return value.convertedToDouble.map(Value.double) ?? .null
    case .decimal: return value.convertedToDecimal.map(Value.decimal) ?? .null
    case .string: return value.plainText.map(Value.string) ?? .null
    case .date(let pattern): return date(value, pattern)
    case .replace: return replaced(value, rest)
    case .program(let function): return function.apply(value, rest)
    case .later(let seconds):
      guard case .date(let date) = value else { return .null }
      return date.advanced(bySeconds: seconds).map(Value.date) ?? .null
    }
  }

  /// Why there is no result of a value that is not nil; nil if the function is nil of such values.
  func fault(of value: Value) -> OperandFault? {
    switch self {
    case .int:
      if case .string = value { return .notConvertible(value, to: "an int") }
      return value.number == nil ? nil : .overflow
    case .double: return .notConvertible(value, to: "a double")
    case .decimal: return .notConvertible(value, to: "a decimal")
    case .date(let pattern):
      return .notConvertible(
        value, to: pattern.map { "a date of the form \($0.text.quoted)" } ?? "a date")
    case .round, .floor, .ceil, .abs: return value.number == nil ? nil : .overflow
    case .later:
      if case .date = value { return .overflow }
      return nil
    case .measure, .sqrt, .string, .replace, .program: return nil
    }
  }

  private func rounded(_ value: Value, _ decimals: Value) -> Value {
    switch decimals {
    case .int(let count): value.rounded(.nearest, Swift.min(Swift.max(count, -400), 400))
    default: value.rounded(.nearest, 0)
    }
  }

  private func absolute(_ value: Value) -> Value {
    switch value {
    case .int(let number): number == .min ? .null : .int(Swift.abs(number))
    case .float(let number): .float(number.magnitude)
    case .double(let number): .double(number.magnitude)
    case .decimal(let number): .decimal(number.isNegative ? -number : number)
    case .null, .bool, .string, .data, .date, .uuid, .objectID, .link, .list, .map: .null
    }
  }

  private func date(_ value: Value, _ pattern: DatePattern?) -> Value {
    switch value {
    case .date: return value
    case .string(var text):
      let date =
        if let pattern {
          text.withUTF8 { pattern.timestamp($0) }
        } else {
          Timestamp(iso8601: text) ?? Timestamp(literal: text)
        }
      return date.map(Value.date) ?? .null
    case .null, .bool, .int, .float, .double, .data, .decimal, .uuid, .objectID, .link, .list, .map:
      return .null
    }
  }

  private func replaced(_ value: Value, _ rest: [Value]) -> Value {
    guard case .string(let text) = value, rest.count == 2, case .string(let old) = rest[0],
      case .string(let new) = rest[1]
    else { return .null }
    return .string(text.replacingBytes(of: old, with: new))
  }
}

extension Value {
  /// A number with so many decimals, and no sign of zero; nil for other values, and for an int beyond the range.
  fileprivate func rounded(_ direction: Decimal128.Direction, _ decimals: Int) -> Value {
    if case .int = self, decimals >= 0 { return self }
    guard let number, number.isFinite else { return number == nil ? .null : self }
    var result = shortestDecimal.rounded(decimals: decimals, direction)
    if result.isZero, result.isNegative { result = -result }
    return switch number {
    case .integer: Int(exactly: result).map(Value.int) ?? .null
    case .floating: isFloat ? .float(Float(Double(result))) : .double(Double(result))
    case .decimal: .decimal(result)
    }
  }

  private var isFloat: Bool { if case .float = self { true } else { false } }

  fileprivate var asInt: Int? {
    switch self {
    case .int(let number): number
    case .bool(let value): value ? 1 : 0
    case .float(let number): Int(exactly: number.rounded(.towardZero))
    case .double(let number): Int(exactly: number.rounded(.towardZero))
    case .decimal(let number): Int(exactly: number.rounded(.towardZero))
    case .string(let text): Int(text)
    case .null, .data, .date, .uuid, .objectID, .link, .list, .map: nil
    }
  }

  fileprivate var convertedToDouble: Double? {
    switch self {
    case .bool(let value): value ? 1 : 0
    case .string(let text): text.contains(where: { $0 == "x" || $0 == "X" }) ? nil : Double(text)
    case .int, .float, .double, .decimal: number?.asDouble
    case .null, .data, .date, .uuid, .objectID, .link, .list, .map: nil
    }
  }

  fileprivate var convertedToDecimal: Decimal128? {
    switch self {
    case .bool(let value): Decimal128(value ? 1 : 0)
    case .string(let text): Decimal128(text)
    case .int, .float, .double, .decimal: shortestDecimal
    case .null, .data, .date, .uuid, .objectID, .link, .list, .map: nil
    }
  }

  /// The text of a value by itself; nil for links and collections.
  fileprivate var plainText: String? {
    switch self {
    case .string(let text): text
    case .bool(let value): value ? "true" : "false"
    case .int(let number): "\(number)"
    case .float(let number): "\(number)"
    case .double(let number): "\(number)"
    case .decimal(let number): number.literal
    case .date(let date): date.iso8601
    case .uuid(let id): "\(id)"
    case .objectID(let id): "\(id)"
    case .data(let bytes): bytes.base64
    case .null, .link, .list, .map: nil
    }
  }
}

extension String {
  /// The text with each occurrence of another replaced, as bytes: neither is read by characters.
  fileprivate func replacingBytes(of old: String, with new: String) -> String {
    guard !old.isEmpty else { return self }
    let (needle, replacement, text) = (Needle(Array(old.utf8)), Array(new.utf8), Array(utf8))
    var result: [UInt8] = []
    var start = 0
    text.withUnsafeBytes { bytes in
      while let end = needle.end(in: bytes, from: start) {
        result += text[start..<end - needle.bytes.count] + replacement
        start = end
      }
    }
    return String(decoding: result + text[start...], as: UTF8.self)
  }
}
