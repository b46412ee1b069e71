package import HeraldModel

extension PropertySchema {
  /// Returns the value coerced to the property's type: an integer for a double or float property becomes
  /// one, text for a date property is parsed as ISO 8601. Of links it checks the class only.
  func coerced(_ value: Value, in classSchema: ClassSchema, _ schema: Schema) throws(HeraldError)
    -> Value
  {
    if value.isNull {
      if type.isOptional { return .null }
      throw .missingValue(property: name, className: classSchema.name)
    }
    if type.element == .any, value.isDeeper(than: nestingLimit) {
      throw .nestedTooDeeply(property: name, className: classSchema.name, limit: nestingLimit)
    }
    if let coerced = value.coerced(to: type.element) { return coerced }
    throw .wrongType(
      property: name, className: classSchema.name, expected: schema.name(of: type),
      value: value.described(in: schema))
  }
}

extension Value {
  /// Returns the value coerced to an element type; nil if it has another type or is out of range.
  func coerced(to element: ElementType) -> Value? {
    switch element {
    case .any: self
    case .bool: if case .bool = self { self } else { nil }
    case .int: if case .int = self { self } else { nil }
    case .string: if case .string = self { self } else { nil }
    case .data: if case .data = self { self } else { nil }
    case .float: asFloat.map { .float($0) }
    case .double: asDouble.map { .double($0) }
    case .decimal: asDecimal.map { .decimal($0) }
    case .date: asDate.map { .date($0) }
    case .uuid: asUUID.map { .uuid($0) }
    case .objectID: asDocumentID.map { .objectID($0) }
    case .link(let target):
      if case .link(let object) = self, object.classID == target { self } else { nil }
    }
  }

  private var asFloat: Float? {
    guard let number = asDouble else { return nil }
    let rounded = Float(number)
    return rounded.isInfinite && number.isFinite ? nil : rounded
  }

  private var asDouble: Double? {
    switch self {
    case .int(let number): return Double(number)
    case .float(let number): return Double(number)
    case .double(let number): return number
    case .decimal(let number):
      let rounded = Double(number)
      return rounded.isInfinite && number.isFinite ? nil : rounded
    case .null, .bool, .string, .data, .date, .uuid, .objectID, .link, .list, .map: return nil
    }
  }

  private var asDecimal: Decimal128? {
    switch self {
    case .int(let number): Decimal128(number)
    case .float(let number): Decimal128(number)
    case .double(let number): Decimal128(number)
    case .decimal(let number): number
    case .null, .bool, .string, .data, .date, .uuid, .objectID, .link, .list, .map: nil
    }
  }

  private var asDate: Timestamp? {
    if case .string(let text) = self { return Timestamp(iso8601: text) }
    if case .date(let date) = self { return date }
    return nil
  }

  private var asUUID: UniqueID? {
    if case .string(let text) = self { return UniqueID(text) }
    if case .uuid(let value) = self { return value }
    return nil
  }

  private var asDocumentID: DocumentID? {
    if case .string(let text) = self { return DocumentID(text) }
    if case .objectID(let value) = self { return value }
    return nil
  }
}

extension Value {
  /// Returns the value for messages: a literal, a link by its class.
  package func described(in schema: Schema) -> String {
    literal { "a link to \(schema.classSchema($0.classID)?.name ?? "class")" }
  }
}
