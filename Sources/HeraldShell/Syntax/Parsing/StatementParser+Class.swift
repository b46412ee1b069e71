import Herald

extension StatementParser {
  /// `open`, `open PATH`, `open PATH read-only`, `open PATH sync=normal`, `open ADDRESS cache PATH`.
  mutating func open() throws(ShellError) -> OpenSyntax {
    var syntax = OpenSyntax(path: try optionalPath("a store"))
    guard let path = syntax.path else { return syntax }
    if path.isAddress {
      if takeIf("cache") { syntax.cache = try self.path() }
      return syntax
    }
    note(.word("read-only", given: nil))
    note(.word("sync=normal", given: nil))
    if case .word = token.kind, isWord("sync") {
      syntax.durability = try durability()
      return syntax
    }
    guard case .word = token.kind, isWord("read") else { return syntax }
    let start = token.start
    advance()
    guard takeIf(sign: "-"), takeIf("only") else {
      let span = SourceSpan(start: start, end: max(lastEnd, start))
      throw failure(.expected("'read-only'", found: "'\(source.text(span))'"), at: span)
    }
    syntax.isReadOnly = true
    return syntax
  }

  /// `sync=normal`, `sync=full`.
  private mutating func durability() throws(ShellError) -> Durability {
    let start = token.start
    advance()
    if takeIf(sign: "=") {
      if takeIf("normal") { return .normal }
      if takeIf("full") { return .full }
      if case .word = token.kind { advance() }
    }
    let span = SourceSpan(start: start, end: max(lastEnd, start))
    throw failure(
      .expected("'sync=normal' or 'sync=full'", found: "'\(source.text(span))'"), at: span)
  }

  /// `class Dog { name: string; age: int? = 3 indexed; siblings: list<Dog> }`
  mutating func classSyntax() throws(ShellError) -> ClassSyntax {
    let name = try name("a new class")
    let properties = try braced { parser throws(ShellError) in try parser.property() }
    return ClassSyntax(name: name, properties: properties)
  }

  /// Entries in braces, one a line or separated by `;`.
  mutating func braced<Entry>(
    _ entry: (inout StatementParser) throws(ShellError) -> Entry
  ) throws(ShellError) -> [Entry] {
    let opening = token
    let owner = notes?.owner
    try take(sign: "{")
    try enter(opening)
    defer { depth -= 1 }
    var entries: [Entry] = []
    skipEntrySeparators()
    while !isSign("}") {
      notes?.owner = owner
      if case .end = token.kind {
        if isNoted { _ = try entry(&self) }
        throw failure(.openBracket("{"), at: opening.span)
      }
      entries.append(try entry(&self))
      let end = token
      skipEntrySeparators()
      if end == token, !isSign("}") { throw expected("';' or '}'") }
    }
    advance()
    return entries
  }

  /// `embedded class Address { city: string }`
  mutating func embeddedClass() throws(ShellError) -> Statement.Kind {
    try take("class")
    var syntax = try classSyntax()
    syntax.isEmbedded = true
    return .declare(syntax)
  }

  private mutating func skipEntrySeparators() {
    while token.kind == .newline || isSign(";") || isSign(",") { advance() }
  }

  mutating func property() throws(ShellError) -> ClassSyntax.Property {
    let name = try name("a property")
    try take(sign: ":")
    skipNewlines()
    let start = token.start
    var shape = try shape()
    if shape != .single { try take(sign: "<") }
    let element = try element()
    var isOptional = takeIf(sign: "?")
    if shape.isBacklinks {
      try take(sign: ".")
      if case .link(let origin) = element { notes?.owner = PropertyOwner(.linking(origin)) }
      shape = .backlinks(try self.name("a property").text)
    }
    if shape != .single {
      try take(sign: ">")
    } else if case .link = element {
      isOptional = true
    }
    var property = ClassSyntax.Property(
      name: name, element: element, typeSpan: SourceSpan(start: start, end: lastEnd),
      shape: shape, isOptional: isOptional)
    try attributes(&property)
    return property
  }

  /// `= default`, `primary`, `indexed`, in any order, each once.
  private mutating func attributes(
    _ property: inout ClassSyntax.Property
  ) throws(ShellError) {
    while true {
      let start = token
      var isRepeated = false
      if takeIf(sign: "=") {
        property.defaultValue = try expression()
      } else if takeIf("primary", given: property.mayBeKey ? .always : .never) {
        isRepeated = property.isPrimaryKey
        property.isPrimaryKey = true
      } else if takeIf("indexed", given: property.mayBeIndexed ? .always : .never) {
        isRepeated = property.isIndexed
        property.isIndexed = true
      } else {
        return
      }
      if isRepeated {
        throw failure(.duplicateEntry(source.text(start.span)), at: start.span)
      }
    }
  }

  /// The shape at the beginning of a type; the property of backlinks is parsed after their class.
  private mutating func shape() throws(ShellError) -> PropertyShape {
    guard case .word = token.kind else { throw expected("a type") }
    let shape: PropertyShape
    switch text {
    case "list": shape = .list
    case "set": shape = .set
    case "map": shape = .map
    case "backlinks": shape = .backlinks("")
    default: return .single
    }
    advance()
    return shape
  }

  private mutating func element() throws(ShellError) -> ClassDefinition.Property.Element {
    guard case .word = token.kind else { throw expected("a type of elements") }
    guard !["list", "set", "map", "backlinks"].contains(text) else {
      throw failure(.expected("a type of elements", found: "'\(text)'"))
    }
    let element: ClassDefinition.Property.Element =
      TypeKeyword(rawValue: text).map { .init($0) } ?? .link(text)
    advance()
    return element
  }
}

extension StatementParser {
  /// `alter Dog { add weight: double = 0; drop nick; rename age to years; name: string? }`
  mutating func altering() throws(ShellError) -> Statement.Kind {
    let className = try name("a class")
    notes?.owner = PropertyOwner(.declared(className.text))
    var changes: [AlterSyntax.Change] = []
    _ = try braced { parser throws(ShellError) in
      parser.notes?.owner?.given = changes.compactMap(\.changedProperty)
      changes.append(try parser.alteration())
    }
    return .alter(AlterSyntax(className: className, changes: changes))
  }

  /// A property may have the name of a keyword: a `:` after the word decides.
  private mutating func alteration() throws(ShellError) -> AlterSyntax.Change {
    var ahead = self
    ahead.advance()
    guard !ahead.isSign(":") else { return .change(try property()) }
    if takeIf("add") {
      notes?.owner = nil
      return .add(try property())
    }
    if takeIf("change") { return .change(try property()) }
    if takeIf("drop") { return .drop(try name("a property")) }
    if takeIf("rename") {
      let property = try name("a property")
      try take("to")
      notes?.owner = nil
      return .rename(property, to: try name("a property"))
    }
    throw expected("'add', 'drop', 'rename' or a property and its type")
  }
}

extension StatementParser {
  /// `define Old as Dog where age > 10 { name, owner.name }`
  mutating func defining() throws(ShellError) -> Statement.Kind {
    let name = try name("a new query")
    try take("as")
    let query = try query(mayBePast: false)
    guard case .className = query.origin else {
      throw failure(
        .expected("a class", found: "'\(source.text(query.span))'"), at: query.span)
    }
    return .define(name, query, try columns(of: query.origin))
  }
}

extension StatementParser {
  /// `projection Card of Dog { title: name; city: owner.address.city }`
  mutating func projectionSyntax() throws(ShellError) -> ProjectionSyntax {
    let name = try name("a new projection")
    try take("of")
    let className = try self.name("a class")
    let fields = try braced { parser throws(ShellError) in
      let field = try parser.name("a name")
      try parser.take(sign: ":")
      parser.skipNewlines()
      parser.notes?.owner = PropertyOwner(.className(className.text))
      return ProjectionSyntax.Field(name: field, path: try parser.keyPath())
    }
    return ProjectionSyntax(name: name, className: className, fields: fields)
  }
}

extension AlterSyntax.Change {
  /// The property of the class that is changed; nil for a new one.
  fileprivate var changedProperty: String? {
    switch self {
    case .add: nil
    case .drop(let name), .rename(let name, to: _): name.text
    case .change(let property): property.name.text
    }
  }
}

extension ClassSyntax.Property {
  /// Whether `primary` may follow.
  fileprivate var mayBeKey: Bool {
    guard shape == .single, !isPrimaryKey else { return false }
    switch element {
    case .int, .string, .uuid, .objectID: return true
    case .bool, .float, .double, .data, .date, .decimal, .any, .link: return false
    }
  }

  /// Whether `indexed` may follow.
  fileprivate var mayBeIndexed: Bool {
    if case .link = element { return false }
    return shape == .single && !isIndexed
  }
}
