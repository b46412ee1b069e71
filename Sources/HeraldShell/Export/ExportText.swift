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

  /// The properties of a class that are exported, in order. What every value needs is found once.
  final class Columns {
    let properties: [PropertySchema]
    /// The properties of single values among them.
    let single: [PropertyID]
    /// Which properties have values of any type, which name theirs.
    let areAny: [Bool]
    let areCollections: [Bool]
    /// The names of an object's members, with what is between each and its value.
    let members: [[UInt8]]
    /// The single values of the object that is being written.
    var values: [Value] = []

    init(_ classSchema: ClassSchema) {
      properties = classSchema.properties.filter { !$0.type.isBacklinks }
      areCollections = properties.map(\.type.isCollection)
      single = properties.filter { !$0.type.isCollection }.map(\.id)
      areAny = properties.map { $0.type.element == .any }
      members = properties.map { Array("\($0.name.quoted): ".utf8) }
    }
  }

  /// Appends an object as JSON.
  func append(asJSON object: ObjectHandle, _ columns: Columns, to line: inout [UInt8]) throws {
    line.append(Byte.openBrace)
    var isFirst = true
    if !numbered.isEmpty, numbered.contains(object.id) {
      line += "\(ExportText.numberName.quoted): \(object.id.number)".utf8
      isFirst = false
    }
    try object.read(columns.single, into: &columns.values)
    var next = 0
    for index in columns.properties.indices {
      if !isFirst { line += ", ".utf8 }
      isFirst = false
      line += columns.members[index]
      if columns.areCollections[index] {
        line += try content(columns.properties[index], object).utf8
      } else {
        try append(asJSON: columns.values[next], isAny: columns.areAny[index], to: &line)
        next += 1
      }
    }
    line.append(Byte.closeBrace)
  }

  private func append(asJSON value: Value, isAny: Bool, to line: inout [UInt8]) throws {
    switch value {
    case _ where isAny: line += try text(ofAny: value).utf8
    case .int(let number): line.append(digitsOf: number)
    case .string(let text): line.append(quoted: text)
    case .date(let date):
      line.append(Byte.doubleQuote)
      date.withISO8601 { line.append(contentsOf: $0) }
      line.append(Byte.doubleQuote)
    case .link(let id): line += try text(value, as: .link(id.classID)).utf8
    case .null, .bool, .float, .double, .data, .decimal, .uuid, .objectID, .list, .map:
      line += JSONRenderer.text(value).utf8
    }
  }

  /// A collection as JSON.
  private func content(_ property: PropertySchema, _ object: ObjectHandle) throws -> String {
    let element = property.type.element
    let collection = try object.collection(property.name)
    let texts = try collection.values.map { try text($0, as: element) }
    guard collection.isMap else { return "[\(texts.joined(separator: ", "))]" }
    let members = zip(collection.keys, texts).map { "\($0.quoted): \($1)" }
    return "{\(members.joined(separator: ", "))}"
  }

  private func object(_ object: ObjectHandle) throws -> String {
    var text: [UInt8] = []
    try append(asJSON: object, Columns(object.classSchema), to: &text)
    return String(decoding: text, as: UTF8.self)
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
    let properties = Columns(classSchema).properties
    return (names + properties.map(\.name.csvField)).joined(separator: ",")
  }

  /// Appends an object's fields to a line.
  func append(_ object: ObjectHandle, _ columns: Columns, to line: inout [UInt8]) throws {
    if !numbered.isEmpty {
      line.append(digitsOf: object.id.number)
      line.append(Byte.comma)
    }
    try object.read(columns.single, into: &columns.values)
    var next = 0
    for index in columns.properties.indices {
      if index > 0 { line.append(UInt8(ascii: ",")) }
      if columns.areCollections[index] {
        line.append(csvField: try content(columns.properties[index], object))
      } else {
        try append(columns.values[next], isAny: columns.areAny[index], to: &line)
        next += 1
      }
    }
  }

  /// Appends values as fields to a line.
  func append(_ values: [Value], to line: inout [UInt8]) throws {
    for (index, value) in values.enumerated() {
      if index > 0 { line.append(Byte.comma) }
      try append(value, isAny: false, to: &line)
    }
  }

  /// Appends a field: empty for nil, `""` for an empty string or data, JSON for collections and for what a property of
  /// type any has.
  private func append(_ value: Value, isAny: Bool, to line: inout [UInt8]) throws {
    switch value {
    case .null: return
    case _ where isAny: line.append(csvField: try text(ofAny: value))
    case .bool(let value): line += (value ? "true" : "false").utf8
    case .int(let number): line.append(digitsOf: number)
    case .float(let number): line.append(ascii: number.description)
    case .double(let number): line.append(ascii: number.description)
    case .string(let text): line.append(csvField: text)
    case .date(let date): date.withISO8601 { line.append(contentsOf: $0) }
    case .data, .decimal, .uuid, .objectID: line.append(csvField: try plain(value))
    case .link, .list, .map:
      let json = try text(value)
      line.append(csvField: json.utf8.first == Byte.doubleQuote ? try plain(value) : json)
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
  /// Appends a text as JSON.
  fileprivate mutating func append(quoted text: String) {
    var text = text
    let isPlain = text.withUTF8 { bytes in
      if bytes.contains(where: Self.mayBeEscaped) { return false }
      append(Byte.doubleQuote)
      append(contentsOf: bytes)
      append(Byte.doubleQuote)
      return true
    }
    if !isPlain { self += text.quoted.utf8 }
  }

  /// Whether `quoted` may write a character with this byte as an escape.
  @inline(__always)
  private static func mayBeEscaped(_ byte: UInt8) -> Bool {
    switch byte {
    case 0..<0x20, UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x7F, 0xC2, 0xE2: true
    default: false
    }
  }

  /// Appends a text; faster than its UTF-8 as a sequence.
  fileprivate mutating func append(ascii text: String) {
    var text = text
    text.withUTF8 { append(contentsOf: $0) }
  }

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
