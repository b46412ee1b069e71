import Herald

/// A value of a JSON document.
indirect enum JSONValue: Equatable {
  case null
  case bool(Bool)
  case int(Int)
  case double(Double)
  /// A number with more digits than a double can hold.
  case decimal(Decimal128)
  /// A number with more digits than a decimal can hold.
  case digits(String)
  case string(String)
  case array([JSONValue])
  case object([Member])

  struct Member: Equatable {
    var name: String
    var value: JSONValue
  }

  /// The value in messages.
  var description: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .int(let value): "\(value)"
    case .double(let value): "\(value)"
    case .decimal(let value): "\(value)"
    case .digits(let text): text
    case .string(let value): value.quoted
    case .array: "an array"
    case .object: "an object"
    }
  }

  /// The value as JSON; a string bare.
  var text: String { if case .string(let text) = self { text } else { json } }

  private var json: String {
    switch self {
    case .null, .bool, .int, .double, .decimal, .digits, .string: description
    case .array(let values): "[\(values.map(\.json).joined(separator: ", "))]"
    case .object(let members):
      "{\(members.map { "\($0.name.quoted): \($0.value.json)" }.joined(separator: ", "))}"
    }
  }
}
