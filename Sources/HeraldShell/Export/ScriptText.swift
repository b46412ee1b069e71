import Herald

/// Values as literals that are read back exactly, whatever type is expected.
enum ScriptText {
  /// A default value, which never contains a link.
  static func literal(
    _ content: PropertyContent, as element: ClassDefinition.Property.Element
  ) -> String {
    let type: ElementType = element.naming { _ in ClassID(0) }
    let text = { (value: Value) in literal(value, as: type) { _ in "nil" } }
    return switch content {
    case .value(let value): text(value)
    case .list(let values): "[" + values.map(text).joined(separator: ", ") + "]"
    case .map(let entries):
      "{"
        + entries.inKeyOrder.map { "\($0.key.quoted): \(text($0.value))" }.joined(separator: ", ")
        + "}"
    }
  }

  /// - Parameter name: returns the name of an object in the script.
  static func literal(
    _ value: Value, as element: ElementType, _ name: (ObjectID) throws -> String
  ) rethrows -> String {
    switch value {
    case .link(let id): return try name(id)
    case .list(let values):
      return "[" + (try values.map { try literal($0, as: .any, name) }).joined(separator: ", ")
        + "]"
    case .map(let entries):
      let texts = try entries.inKeyOrder.map {
        "\($0.key.quoted): \(try literal($0.value, as: .any, name))"
      }
      return "{" + texts.joined(separator: ", ") + "}"
    case .date(let date): return literal(date)
    case .decimal(let number):
      let text = number.literal
      // Plain digits would be read as an int, which has no -0 and a limited range.
      let isDigits = text.utf8.allSatisfy { Byte.isDigit($0) || $0 == Byte.minus }
      let isRead = !isDigits || Int(text).map(String.init) == text
      return element == .any || !isRead ? "decimal(\(text.quoted))" : text
    case .float(let number): return element == .any ? "float(\"\(number)\")" : "\(number)"
    case .null, .bool, .int, .double, .string, .data, .uuid, .objectID:
      return LiteralText.text(value)
    }
  }

  /// A date with a year of four digits is a bare literal; others need a call, as they would be arithmetic.
  private static func literal(_ date: Timestamp) -> String {
    let text = date.literal
    let year = text.utf8.prefix { $0 != Byte.minus }
    return year.count == 4 && year.allSatisfy(Byte.isDigit) ? text : "date(\(text.quoted))"
  }
}
