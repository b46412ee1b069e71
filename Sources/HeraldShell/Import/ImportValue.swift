import Herald

/// Converts the content of a file to the content of a property.
struct ImportValue {
  struct Mismatch: Error {
    let reason: String
  }

  let type: PropertyType
  let schema: Schema
  /// Whether the class was made for the file, which need not follow the rules of an export.
  var isLenient = false
  /// Finds the object of a class with a primary key; nil if there is none yet.
  let find: (ClassSchema, Value) throws -> ObjectID?
  /// Creates a nested object; nil if it links to an object that does not exist yet.
  let make: (ClassSchema, [JSONValue.Member]) throws -> ObjectID?

  /// The value of a property that is neither a collection, a link nor any; nil if `content` must decide.
  static func plain(_ content: ImportRecord.Content, _ type: PropertyType) -> Value? {
    guard type.shape == .single else { return nil }
    switch content {
    case .json(let value): return value.scalar(as: type.element)
    case .field(let field):
      if field.written?.isInvalid ?? false { return nil }
      var text = field.text
      let value = text.withUTF8 {
        $0.isEmpty ? nil : CellText.value($0, isQuoted: field.isQuoted, type.element)?.value
      }
      if let value { return value }
      return text.isEmpty
        ? nil : FieldText.json(field.text, as: type.element).scalar(as: type.element)
    }
  }

  /// The content of the property; nil if it links to an object that does not exist (yet).
  func content(_ content: ImportRecord.Content) throws -> PropertyContent? {
    switch content {
    case .json(let value): return try self.content(value)
    case .field(let field):
      if field.text.isEmpty && !(field.isQuoted && keepsEmptyText) {
        return switch type.shape {
        case .single: .value(isString && !type.isOptional ? .string("") : .null)
        case .list, .set, .backlinks: .list([])
        case .map: .map([:])
        }
      }
      do {
        if field.written?.isInvalid ?? false { throw Mismatch(reason: "") }
        return try self.content(try json(field.text))
      } catch let mismatch as Mismatch {
        guard let written = field.written else { throw mismatch }
        throw Mismatch(
          reason:
            "expected \(written.expectation), found \(TextWidth.cut(written.text.quoted, to: 60))")
      }
    }
  }

  /// Whether an empty field in quotes is an empty text, rather than nil as one without quotes.
  private var keepsEmptyText: Bool {
    guard type.shape == .single else { return false }
    guard let target = type.target.flatMap({ schema.classSchema($0) }) else {
      return type.element.keepsEmptyText
    }
    return target.primaryKey?.type.element == .string
  }

  private var isString: Bool { type.element == .string }

  private func content(_ value: JSONValue) throws -> PropertyContent? {
    switch type.shape {
    case .single: return try single(value).map { .value($0) }
    case .list, .set:
      if value == .null { return .list([]) }
      guard case .array(let elements) = value else {
        throw Mismatch(reason: "expected an array, found \(value.description)")
      }
      var values: [Value] = []
      for element in elements {
        guard let value = try single(element) else { return nil }
        values.append(value)
      }
      return .list(values)
    case .map:
      if value == .null { return .map([:]) }
      guard case .object(let members) = value else {
        throw Mismatch(reason: "expected an object, found \(value.description)")
      }
      var entries: MapEntries = [:]
      for member in members {
        guard let value = try single(member.value) else { return nil }
        entries[member.name] = value
      }
      return .map(entries)
    case .backlinks: throw Mismatch(reason: "backlinks are maintained by the store")
    }
  }

  /// The JSON value that a CSV field represents.
  private func json(_ text: String) throws -> JSONValue {
    let target = type.target.flatMap { schema.classSchema($0) }
    guard type.isCollection || type.element == .any || target?.isEmbedded == true else {
      let element = target.map { $0.primaryKey?.type.element ?? .int } ?? type.element
      return FieldText.json(text, as: element)
    }
    var reader = JSONReader(Array(text.utf8))
    let value = try? reader.value()
    if let value, reader.isAtEnd(), type.isCollection || type.element == .any { return value }
    if type.isCollection {
      let expected = type.shape == .map ? "a JSON object" : "a JSON array"
      throw Mismatch(reason: "expected \(expected), found \(text.quoted)")
    }
    guard let target else { return FieldText.json(text, as: type.element) }
    // An embedded object is a JSON object in its field.
    if case .object? = value, reader.isAtEnd() { return value ?? .null }
    return FieldText.json(text, as: target.primaryKey?.type.element ?? .int)
  }

  /// nil for a link to an object that does not exist.
  private func single(_ value: JSONValue) throws -> Value? {
    if value == .null { return .null }
    let found: Value?
    switch type.element {
    case .any:
      return try ImportAny(schema: schema, isLenient: isLenient, find: find).value(value)
    case .link(let target):
      guard let target = schema.classSchema(target) else { return nil }
      if case .object(let members) = value { return try make(target, members).map { .link($0) } }
      if let key = value.key(as: target.primaryKey?.type.element ?? .int), !target.isEmbedded {
        return try find(target, key).map { .link($0) }
      }
      found = nil
    case .bool, .int, .float, .double, .string, .data, .date, .decimal, .uuid, .objectID:
      found = value.scalar(as: type.element) ?? value.untagged?.scalar(as: type.element)
    }
    if let found { return found }
    throw Mismatch(reason: "expected \(expectation), found \(value.description)")
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

/// Converts fields of a CSV file to the JSON values that they represent.
private enum FieldText {
  static func json(_ text: String, as element: ElementType) -> JSONValue {
    switch element {
    // A decimal keeps all digits of the text.
    case .string, .data, .date, .decimal, .uuid, .objectID, .any, .link: return .string(text)
    case .bool: return .string(text)
    case .int: return Int(text).map { .int($0) } ?? .string(text)
    case .float, .double: return JSONValue(number: text) ?? .string(text)
    }
  }
}
