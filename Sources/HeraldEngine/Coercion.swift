package import HeraldModel

extension PropertySchema {
  /// The value as the property keeps it, where it fits: an integer for a double or float property
  /// becomes one, text for a date property is read as ISO 8601. Links are checked for their class
  /// alone.
  func fitted(_ value: Value, in classSchema: ClassSchema, _ schema: Schema) throws(HeraldError)
    -> Value
  {
    switch (value, type.element) {
    case (.null, _):
      if type.isOptional { return .null }
      throw .missingValue(property: name, className: classSchema.name)
    case (.bool, .bool), (.int, .int), (.float, .float), (.double, .double), (.string, .string),
      (.data, .data), (.date, .date), (.decimal, .decimal), (.uuid, .uuid),
      (.objectID, .objectID), (_, .any):
      return value
    case (.int(let number), .decimal): return .decimal(Decimal128(number))
    case (.double(let number), .decimal): return .decimal(Decimal128(number))
    case (.float(let number), .decimal): return .decimal(Decimal128(number))
    case (.decimal(let number), .double): return .double(Double(number))
    case (.decimal(let number), .float): return .float(Float(Double(number)))
    case (.string(let text), .uuid):
      if let value = UniqueID(text) { return .uuid(value) }
    case (.string(let text), .objectID):
      if let value = DocumentID(text) { return .objectID(value) }
    case (.int(let number), .double): return .double(Double(number))
    case (.int(let number), .float): return .float(Float(number))
    case (.double(let number), .float): return .float(Float(number))
    case (.float(let number), .double): return .double(Double(number))
    case (.string(let text), .date):
      if let date = Timestamp(iso8601: text) { return .date(date) }
    case (.link(let object), .link(let target)) where object.classID == target: return value
    case (_, _): break
    }
    throw .wrongType(
      property: name, className: classSchema.name, expected: type.name(in: schema),
      value: value.described(in: schema))
  }
}

extension PropertyType {
  /// As it is declared: `int?`, `list<Dog>`.
  package func name(in schema: Schema) -> String {
    let element =
      switch element {
      case .bool: "bool"
      case .int: "int"
      case .float: "float"
      case .double: "double"
      case .string: "string"
      case .data: "data"
      case .date: "date"
      case .decimal: "decimal"
      case .uuid: "uuid"
      case .objectID: "objectid"
      case .any: "any"
      case .link(let target): schema.classSchema(target)?.name ?? "link"
      }
    let isMarked = isOptional && linkedClass == nil && self.element != .any
    let marked = isMarked ? element + "?" : element
    return switch shape {
    case .single: marked
    case .list: "list<\(marked)>"
    case .set: "set<\(marked)>"
    case .map: "map<\(marked)>"
    case .backlinks(let origin): "backlinks<\(marked).\(origin)>"
    }
  }
}

extension Value {
  /// For messages: as a literal, a link with its class and number.
  package func described(in schema: Schema) -> String {
    switch self {
    case .null: "nil"
    case .bool(let value): "\(value)"
    case .int(let value): "\(value)"
    case .float(let value): "\(value)"
    case .double(let value): "\(value)"
    case .string(let value): value.quoted
    case .data(let value): "binary(\(value.base64.quoted))"
    case .date(let value): value.literal
    case .decimal(let value): value.description
    case .uuid(let value): "uuid(\(value.description.quoted))"
    case .objectID(let value): "oid(\(value.description.quoted))"
    case .list(let values):
      "[" + values.map { $0.described(in: schema) }.joined(separator: ", ") + "]"
    case .map(let entries):
      "{"
        + entries.sorted { $0.key < $1.key }
        .map { "\($0.key.quoted): \($0.value.described(in: schema))" }.joined(separator: ", ") + "}"
    case .link(let object):
      "a link to \(schema.classSchema(object.classID)?.name ?? "class")"
    }
  }
}
