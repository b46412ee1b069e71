import Herald

/// Turns what a file says into what a property keeps.
struct ImportValue {
  struct Mismatch: Error {
    let reason: String
  }

  let type: PropertyType
  let schema: Schema
  /// The object of a class with a primary key; nil where there is none yet.
  let find: (ClassSchema, Value) throws -> ObjectID?

  /// What a property is given; nil where it names an object that is not there (yet).
  func content(_ content: ImportRecord.Content) throws -> PropertyContent? {
    switch content {
    case .json(let value): return try self.content(value)
    case .field(let field):
      if field.text.isEmpty && !field.isQuoted {
        if type.shape == .list { return .list([]) }
        return .value(isString && !type.isOptional ? .string("") : .null)
      }
      return try self.content(try json(field.text))
    }
  }

  private var isString: Bool { type.element == .string }

  private func content(_ value: JSONValue) throws -> PropertyContent? {
    switch type.shape {
    case .single: return try single(value).map { .value($0) }
    case .list:
      guard case .array(let elements) = value else {
        throw Mismatch(reason: "an array was expected, \(value.description) found")
      }
      var values: [Value] = []
      for element in elements {
        guard let value = try single(element) else { return nil }
        values.append(value)
      }
      return .list(values)
    }
  }

  /// A CSV field as the JSON value that it stands for.
  private func json(_ text: String) throws -> JSONValue {
    if type.shape == .list {
      var reader = JSONReader(Array(text.utf8))
      guard let value = try? reader.value(), reader.isAtEnd() else {
        throw Mismatch(reason: "a JSON array was expected, \(text.quoted) found")
      }
      return value
    }
    return scalar(
      text, type.target.flatMap { schema.classSchema($0)?.primaryKey?.type ?? numberType } ?? type)
  }

  /// Objects of a class without a primary key are named by their number.
  private var numberType: PropertyType { PropertyType(.int) }

  private func scalar(_ text: String, _ type: PropertyType) -> JSONValue {
    switch type.element {
    case .string, .data, .date, .link: return .string(text)
    case .bool:
      switch text {
      case "true": return .bool(true)
      case "false": return .bool(false)
      default: return .string(text)
      }
    case .int: return Int(text).map { .int($0) } ?? .string(text)
    case .float, .double:
      return Int(text).map { .int($0) } ?? Double(text).map { .double($0) } ?? .string(text)
    }
  }

  /// nil for a link to an object that is not there.
  private func single(_ value: JSONValue) throws -> Value? {
    switch (type.element, value) {
    case (_, .null): return .null
    case (.bool, .bool(let value)): return .bool(value)
    case (.int, .int(let value)): return .int(value)
    case (.int, .double(let value)):
      if let exact = Int(exactly: value) { return .int(exact) }
    case (.float, .int(let value)): return .float(Float(value))
    case (.float, .double(let value)): return .float(Float(value))
    case (.double, .int(let value)): return .double(Double(value))
    case (.double, .double(let value)): return .double(value)
    case (.string, .string(let value)): return .string(value)
    case (.data, .string(let text)):
      if let data = [UInt8](base64: text) { return .data(data) }
    case (.date, .string(let text)):
      if let date = Timestamp(iso8601: text) { return .date(date) }
    case (.link(let target), .int(let key)): return try link(target, .int(key))
    case (.link(let target), .string(let key)): return try link(target, .string(key))
    case (_, _): break
    }
    throw Mismatch(reason: "\(expectation) was expected, \(value.description) found")
  }

  private func link(_ target: ClassID, _ key: Value) throws -> Value? {
    guard let target = schema.classSchema(target) else { return nil }
    return try find(target, key).map { .link($0) }
  }

  private var expectation: String {
    switch type.element {
    case .bool: "true or false"
    case .int: "an integer"
    case .float, .double: "a number"
    case .string: "a string"
    case .data: "base64"
    case .date: "a date in ISO 8601"
    case .link: "a primary key"
    }
  }
}
