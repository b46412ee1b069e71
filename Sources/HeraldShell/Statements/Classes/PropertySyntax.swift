import Herald

/// A property as `class` and `alter` declare it: `age: int? = 3 indexed`.
struct PropertySyntax {
  var name: Name
  var element: ClassDefinition.Property.Element
  var typeSpan: SourceSpan
  var shape: PropertyShape = .single
  var isOptional = false
  var isPrimaryKey = false
  var isIndexed = false
  var defaultValue: ExpressionSyntax?

  static func parse(_ parser: inout StatementParser) throws(ShellError) -> PropertySyntax {
    let name = try parser.name("a property")
    try parser.take(sign: ":")
    parser.skipNewlines()
    let start = parser.token.start
    var shape = try shape(&parser)
    if shape != .single { try parser.take(sign: "<") }
    let element = try element(&parser)
    var isOptional = parser.takeIf(sign: "?")
    if shape.isBacklinks {
      try parser.take(sign: ".")
      if case .link(let origin) = element { parser.notes?.owner = PropertyOwner(.linking(origin)) }
      shape = .backlinks(try parser.name("a property").text)
    }
    if shape != .single {
      try parser.take(sign: ">")
    } else if case .link = element {
      isOptional = true
    }
    var property = PropertySyntax(
      name: name, element: element, typeSpan: SourceSpan(start: start, end: parser.lastEnd),
      shape: shape, isOptional: isOptional)
    try attributes(&parser, &property)
    return property
  }

  /// `= default`, `primary`, `indexed`, in any order, each once.
  private static func attributes(
    _ parser: inout StatementParser,
    _ property: inout PropertySyntax
  ) throws(ShellError) {
    while true {
      let start = parser.token
      var isRepeated = false
      if parser.takeIf(sign: "=") {
        property.defaultValue = try parser.expression()
      } else if parser.takeIf("primary", given: property.mayBeKey ? .always : .never) {
        isRepeated = property.isPrimaryKey
        property.isPrimaryKey = true
      } else if parser.takeIf("indexed", given: property.mayBeIndexed ? .always : .never) {
        isRepeated = property.isIndexed
        property.isIndexed = true
      } else {
        return
      }
      if isRepeated {
        throw parser.failure(.duplicateEntry(parser.source.text(start.span)), at: start.span)
      }
    }
  }

  /// The shape at the beginning of a type; the property of backlinks is parsed after their class.
  private static func shape(_ parser: inout StatementParser) throws(ShellError) -> PropertyShape {
    guard case .word = parser.token.kind else { throw parser.expected("a type") }
    let shape: PropertyShape
    switch parser.text {
    case "list": shape = .list
    case "set": shape = .set
    case "map": shape = .map
    case "backlinks": shape = .backlinks("")
    default: return .single
    }
    parser.advance()
    return shape
  }

  private static func element(
    _ parser: inout StatementParser
  ) throws(ShellError) -> ClassDefinition.Property.Element {
    guard case .word = parser.token.kind else { throw parser.expected("a type of elements") }
    guard !["list", "set", "map", "backlinks"].contains(parser.text) else {
      throw parser.failure(.expected("a type of elements", found: "'\(parser.text)'"))
    }
    let element: ClassDefinition.Property.Element =
      TypeKeyword(rawValue: parser.text).map { .init($0) } ?? .link(parser.text)
    parser.advance()
    return element
  }

  /// Whether `primary` may follow.
  private var mayBeKey: Bool {
    guard shape == .single, !isPrimaryKey else { return false }
    switch element {
    case .int, .string, .uuid, .objectID: return true
    case .bool, .float, .double, .data, .date, .decimal, .any, .link: return false
    }
  }

  /// Whether `indexed` may follow.
  private var mayBeIndexed: Bool {
    if case .link = element { return false }
    return shape == .single && !isIndexed
  }
}

// MARK: Meaning

extension PropertySyntax {
  /// Remarks at the prompt that the class of a property does not exist yet: its name may be that of a type in another
  /// language.
  static func remarkOnLinks(of properties: [PropertySyntax], _ context: Context) throws {
    let schema = try context.store.schema
    var named: Set<String> = []
    for property in properties {
      guard case .link(let name) = property.element, named.insert(name).inserted,
        schema.classSchema(named: name)?.isDeclared != true
      else { continue }
      let nearest = TypeKeyword.nearest(to: name, classes: schema.namesOfRows)
      context.confirm { "hint: there is no class '\(name)' yet" + suggestion(nearest) }
    }
  }

  /// Reports errors of a default value at its span.
  static func placingDefaults(
    of properties: [PropertySyntax], _ context: Context, _ body: () throws -> Void
  ) throws {
    do {
      try body()
    } catch let error as HeraldError {
      guard let name = error.unfitProperty,
        let value = properties.first(where: { $0.name.text == name })?.defaultValue
      else { throw error }
      let position = error.span(inGiven: [value], context.source) ?? value.span
      throw context.failure(.library(error), at: position)
    }
  }

  func definition(_ context: Context) throws -> ClassDefinition.Property {
    ClassDefinition.Property(
      name: name.text, element: element, shape: shape,
      isOptional: isOptional, isPrimaryKey: isPrimaryKey,
      isIndexed: isIndexed, defaultValue: try defaultValue(context),
      isGenerated: isGenerated)
  }

  private func defaultValue(_ context: Context) throws -> PropertyContent? {
    guard let expression = defaultValue, !isGenerated else { return nil }
    // It would be the time of this statement for each object.
    if case .generated(.now) = expression.kind {
      throw context.expected("a value that does not change", at: expression.span)
    }
    // A link has no literal, which the library reports.
    let element: ElementType =
      element.isLink ? .any : element.naming { _ in ClassID(0) }
    return try context.content(expression, for: PropertyType(element, shape: shape))
  }

  /// `= uuid()` of a uuid, `= oid()` of an object id: a new one for each object.
  private var isGenerated: Bool {
    guard shape == .single, case .generated(let generated)? = defaultValue?.kind else {
      return false
    }
    return switch generated {
    case .uuid: element == .uuid
    case .objectID: element == .objectID
    case .inTransaction, .version, .now: false
    }
  }
}

extension HeraldError {
  /// The property whose value cannot be converted.
  fileprivate var unfitProperty: String? {
    switch self {
    case .wrongType(let property, _, _, _), .missingValue(let property, _): property
    case _: nil
    }
  }
}
