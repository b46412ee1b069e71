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
  /// Makes the object that stands inside another; nil where it names one that is not there yet.
  let make: (ClassSchema, [JSONValue.Member]) throws -> ObjectID?

  /// What a property of one value, no link and not any, is given; nil where that takes a closer look.
  static func plain(_ content: ImportRecord.Content, _ type: PropertyType) -> Value? {
    guard type.shape == .single else { return nil }
    switch content {
    case .json(let value): return value.scalar(as: type.element)
    case .field(let field):
      return field.text.isEmpty
        ? nil : CSVField.json(field.text, as: type.element).scalar(as: type.element)
    }
  }

  /// What a property is given; nil where it names an object that is not there (yet).
  func content(_ content: ImportRecord.Content) throws -> PropertyContent? {
    switch content {
    case .json(let value): return try self.content(value)
    case .field(let field):
      if field.text.isEmpty && !field.isQuoted {
        return switch type.shape {
        case .single: .value(isString && !type.isOptional ? .string("") : .null)
        case .list, .set, .backlinks: .list([])
        case .map: .map([:])
        }
      }
      return try self.content(try json(field.text))
    }
  }

  private var isString: Bool { type.element == .string }

  private func content(_ value: JSONValue) throws -> PropertyContent? {
    switch type.shape {
    case .single: return try single(value).map { .value($0) }
    case .list, .set:
      guard case .array(let elements) = value else {
        throw Mismatch(reason: "an array was expected, \(value.description) found")
      }
      var values: [Value] = []
      for element in elements {
        guard let value = try single(element) else { return nil }
        values.append(value)
      }
      return .list(values)
    case .map:
      guard case .object(let members) = value else {
        throw Mismatch(reason: "an object was expected, \(value.description) found")
      }
      var entries: MapEntries = [:]
      for member in members {
        guard let value = try single(member.value) else { return nil }
        entries[member.name] = value
      }
      return .map(entries)
    case .backlinks: throw Mismatch(reason: "backlinks are kept by the store")
    }
  }

  /// A CSV field as the JSON value that it stands for.
  private func json(_ text: String) throws -> JSONValue {
    let target = type.target.flatMap { schema.classSchema($0) }
    guard type.isCollection || type.element == .any || target?.isEmbedded == true else {
      let element = target.map { $0.primaryKey?.type.element ?? .int } ?? type.element
      return CSVField.json(text, as: element)
    }
    var reader = JSONReader(Array(text.utf8))
    let value = try? reader.value()
    if let value, reader.isAtEnd(), type.isCollection || type.element == .any { return value }
    if type.isCollection {
      let expected = type.shape == .map ? "a JSON object" : "a JSON array"
      throw Mismatch(reason: "\(expected) was expected, \(text.quoted) found")
    }
    guard let target else { return CSVField.json(text, as: type.element) }
    // Parts stand whole in their field.
    if case .object? = value, reader.isAtEnd() { return value ?? .null }
    return CSVField.json(text, as: target.primaryKey?.type.element ?? .int)
  }

  /// nil for a link to an object that is not there.
  private func single(_ value: JSONValue) throws -> Value? {
    if value == .null { return .null }
    let found: Value?
    switch type.element {
    case .any: return try ImportAny(schema: schema, find: find).value(value)
    case .link(let target):
      guard let target = schema.classSchema(target) else { return nil }
      if case .object(let members) = value { return try make(target, members).map { .link($0) } }
      if let key = value.key(as: target.primaryKey?.type.element ?? .int), !target.isEmbedded {
        return try find(target, key).map { .link($0) }
      }
      found = nil
    case .bool, .int, .float, .double, .string, .data, .date, .decimal, .uuid, .objectID:
      found = value.scalar(as: type.element)
    }
    if let found { return found }
    throw Mismatch(reason: "\(expectation) was expected, \(value.description) found")
  }

  private var expectation: String {
    switch type.element {
    case .bool: "true or false"
    case .int: "an integer"
    case .float, .double, .decimal: "a number"
    case .string: "a string"
    case .data: "base64"
    case .date: "a date in ISO 8601"
    case .uuid: "a uuid"
    case .objectID: "an object id"
    case .any: "a value"
    case .link(let target):
      schema.classSchema(target)?.isEmbedded == true ? "an object" : "a primary key"
    }
  }
}

/// A field of a CSV file as the JSON value that it stands for.
private enum CSVField {
  static func json(_ text: String, as element: ElementType) -> JSONValue {
    switch element {
    // A decimal keeps the digits that are written.
    case .string, .data, .date, .decimal, .uuid, .objectID, .any, .link: return .string(text)
    case .bool:
      switch text {
      case "true": return .bool(true)
      case "false": return .bool(false)
      default: return .string(text)
      }
    case .int: return Int(text).map { .int($0) } ?? .string(text)
    case .float, .double: return JSONValue(number: text) ?? .string(text)
    }
  }
}
