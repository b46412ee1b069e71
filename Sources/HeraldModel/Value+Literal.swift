extension Value {
  /// The value as a literal of the language, with links in the words of `link`.
  package func literal(_ link: (ObjectID) -> String) -> String {
    switch self {
    case .null: return "nil"
    case .bool(let value): return value ? "true" : "false"
    case .int(let value): return String(value)
    case .float(let value): return numberText(value)
    case .double(let value): return numberText(value)
    case .string(let value): return value.quoted
    case .data(let value): return "binary(\(value.base64.quoted))"
    case .date(let value): return value.literal
    case .decimal(let value): return value.literal
    case .uuid(let value): return "uuid(\(value.description.quoted))"
    case .objectID(let value): return "oid(\(value.description.quoted))"
    case .link(let object): return link(object)
    case .list(let values):
      return "[" + values.map { $0.literal(link) }.joined(separator: ", ") + "]"
    case .map(let entries):
      let texts = entries.inKeyOrder.map { "\($0.key.quoted): \($0.value.literal(link))" }
      return "{" + texts.joined(separator: ", ") + "}"
    }
  }

  private func numberText(_ value: some BinaryFloatingPoint & CustomStringConvertible) -> String {
    value.isNaN ? "nan" : value.isInfinite ? (value < 0 ? "-inf" : "inf") : value.description
  }
}

extension Decimal128 {
  /// The digits as they are; infinities and NaN in the language's words.
  package var literal: String {
    isFinite ? description : isNaN ? "nan" : isNegative ? "-inf" : "inf"
  }
}
