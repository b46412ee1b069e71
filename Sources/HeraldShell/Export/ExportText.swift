import Herald

/// Objects as JSON that `import` reads back as the same objects.
///
///     link      = the primary key | the object's number where the class has none, which that object
///                 then has as its `$key`
///     embedded  = an object
///     set, list = an array           map = an object
///     date, data, decimal, uuid, objectid, inf, nan = strings
///
/// In an `any` JSON's own types are written as they are, and all others as an object with one member that
/// names the type: `{"$date": …}`, `$data`, `$decimal`, `$float`, `$double`, `$uuid`, `$oid`,
/// `{"$link": {"class": …, "key": …}}`, and `{"$map": …}` around a map whose only key begins with
/// `$`.
struct ExportText {
  let store: DynamicStore
  /// The objects that are written with their number: those without a primary key that others link to.
  var numbered: Set<ObjectID> = []

  /// The name in files of the number of an object without a primary key.
  static let numberName = "$key"

  /// The properties that are exported, in order.
  func properties(of classSchema: ClassSchema) -> [PropertySchema] {
    classSchema.properties.filter { !$0.type.isBacklinks }
  }

  func object(_ object: DynamicObject) throws -> String {
    var members = try properties(of: object.classSchema).map { property in
      "\(property.name.quoted): \(try content(property, object))"
    }
    if numbered.contains(object.id) {
      members.insert("\(ExportText.numberName.quoted): \(object.id.number)", at: 0)
    }
    return "{\(members.joined(separator: ", "))}"
  }

  /// A property's content as JSON.
  func content(_ property: PropertySchema, _ object: DynamicObject) throws -> String {
    let element = property.type.element
    guard property.type.isCollection else {
      return try text(object.value(property.name), as: element)
    }
    let collection = try object.collection(property.name)
    let texts = try collection.values.map { try text($0, as: element) }
    guard collection.isMap else { return "[\(texts.joined(separator: ", "))]" }
    let members = zip(collection.keys, texts).map { "\($0.quoted): \($1)" }
    return "{\(members.joined(separator: ", "))}"
  }

  func text(_ value: Value, as element: ElementType) throws -> String {
    if element == .any { return try text(ofAny: value) }
    guard case .link(let id) = value else { return JSONRenderer.text(value) }
    if store.schema.classSchema(id.classID)?.isEmbedded == true, let part = store.object(id) {
      return try object(part)
    }
    return JSONRenderer.text(store.label(of: id).key)
  }

  private func text(ofAny value: Value) throws -> String {
    switch value {
    case .null, .bool, .int, .string: return JSONRenderer.text(value)
    case .double(let number):
      let digits = JSONRenderer.text(value)
      return number.isFinite ? digits : tagged(.double, digits)
    case .float(let number): return tagged(.float, "\(number)".quoted)
    case .data, .date, .decimal, .uuid, .objectID:
      return tagged(value.element ?? .any, JSONRenderer.text(value))
    case .link(let id):
      let label = store.label(of: id)
      let key = JSONRenderer.text(label.key)
      return tagged(.link(id.classID), "{\"class\": \(label.className.quoted), \"key\": \(key)}")
    case .list(let values):
      return "[\(try values.map { try text(ofAny: $0) }.joined(separator: ", "))]"
    case .map(let entries):
      let members = try entries.inKeyOrder.map { "\($0.key.quoted): \(try text(ofAny: $0.value))" }
      let whole = "{\(members.joined(separator: ", "))}"
      let isTagLike = entries.count == 1 && entries.keys.allSatisfy { $0.hasPrefix("$") }
      return isTagLike ? "{\"$map\": \(whole)}" : whole
    }
  }

  private func tagged(_ type: ElementType, _ text: String) -> String {
    type.jsonTag.map { "{\"$\($0)\": \(text)}" } ?? text
  }
}

extension ElementType {
  /// What names the type in the JSON of a value of type any, after a dollar sign; nil for JSON's own types.
  var jsonTag: String? {
    switch self {
    case .float: "float"
    case .double: "double"
    case .data: "data"
    case .date: "date"
    case .decimal: "decimal"
    case .uuid: "uuid"
    case .objectID: "oid"
    case .link: "link"
    case .any, .bool, .int, .string: nil
    }
  }
}

// MARK: CSV

extension ExportText {
  /// The names of the columns.
  func header(of classSchema: ClassSchema) -> String {
    let names = (numbered.isEmpty ? [] : [ExportText.numberName])
    return (names + properties(of: classSchema).map(\.name.csvField)).joined(separator: ",")
  }

  /// Appends an object's fields to a line.
  func append(
    _ object: DynamicObject, _ properties: [PropertySchema], to line: inout [UInt8]
  ) throws {
    if !numbered.isEmpty {
      line.append(digitsOf: object.id.number)
      line.append(Byte.comma)
    }
    for (index, property) in properties.enumerated() {
      if index > 0 { line.append(Byte.comma) }
      if property.type.isCollection {
        line += try content(property, object).csvField.utf8
      } else {
        try append(try object.value(property.name), as: property.type.element, to: &line)
      }
    }
  }

  /// Appends values as fields to a line.
  func append(_ values: [Value], to line: inout [UInt8]) throws {
    for (index, value) in values.enumerated() {
      if index > 0 { line.append(Byte.comma) }
      try append(value, as: nil, to: &line)
    }
  }

  /// Appends a field: empty for nil, `""` for an empty string or data, JSON for collections and for what a property of
  /// type any has.
  private func append(
    _ value: Value, as element: ElementType?, to line: inout [UInt8]
  ) throws {
    if element == .any, !value.isNull {
      line += try text(ofAny: value).csvField.utf8
      return
    }
    switch value {
    case .null: return
    case .bool(let value): line += (value ? "true" : "false").utf8
    case .int(let number): line.append(digitsOf: number)
    case .float(let number): line += number.description.utf8
    case .double(let number): line += number.description.utf8
    case .string(let text): line += text.csvField.utf8
    case .data, .date, .decimal, .uuid, .objectID: line += try plain(value).csvField.utf8
    case .link, .list, .map:
      let json = try text(value)
      line += (json.utf8.first == Byte.doubleQuote ? try plain(value) : json).csvField.utf8
    }
  }

  /// A value of any type, without the name of its type.
  private func text(_ value: Value) throws -> String {
    switch value {
    case .list(let values): "[\(try values.map { try text($0) }.joined(separator: ", "))]"
    case .map(let entries):
      "{"
        + (try entries.inKeyOrder.map { "\($0.key.quoted): \(try text($0.value))" })
        .joined(separator: ", ") + "}"
    case .link(let id): try text(value, as: .link(id.classID))
    case .null, .bool, .int, .float, .double, .string, .data, .date, .decimal, .uuid, .objectID:
      JSONRenderer.text(value)
    }
  }

  /// A row of columns.
  func object(_ names: [String], _ values: [Value]) throws -> String {
    let members = try zip(names, values).map { "\($0.quoted): \(try text($1))" }
    return "{\(members.joined(separator: ", "))}"
  }

  /// A value that JSON writes as a string, without its quotes.
  private func plain(_ value: Value) throws -> String {
    switch value {
    case .data(let bytes): bytes.base64
    case .date(let date): date.iso8601
    case .decimal(let number): number.literal
    case .uuid(let id): id.description
    case .objectID(let id): id.description
    case .float(let number): "\(number)"
    case .double(let number): "\(number)"
    case .string(let text): text
    case .link(let id): try plain(store.label(of: id).key)
    case .null, .bool, .int, .list, .map: try text(ofAny: value)
    }
  }
}

extension [UInt8] {
  /// Appends a number in decimal digits.
  fileprivate mutating func append(digitsOf number: Int) {
    var rest = number.magnitude
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var start = digits.count
      repeat {
        start -= 1
        digits[start] = UInt8(truncatingIfNeeded: rest % 10) + 0x30
        rest /= 10
      } while rest > 0
      if number < 0 {
        start -= 1
        digits[start] = Byte.minus
      }
      append(contentsOf: digits[start...])
    }
  }
}
