import Herald

/// `for $x in Dog where age > 3 {…}`: one round for each element that existed at the beginning.
struct ForStatement: StatementForm {
  static let command = Command(
    "for",
    [
      "for $NAME in QUERY | COLLECTION | group ... | [ VALUE, ... ] { STATEMENTS }",
      "for $NAME in QUERY sections by EXPRESSION [desc] { STATEMENTS }",
    ],
    "run a block once for each element",
    [
      "The elements are those at the beginning, whatever the block changes; those of a map are "
        + "its keys, those of group its rows, each with a value for each column, and sections maps with key "
        + "and rows, which are maps, too, of a projection and at an earlier version, from which "
        + "links lead to the present objects. In the block of an object's observer the elements of $properties have a "
        + "name, an oldValue and a newValue, which are nil for a collection."
    ],
    examples: [
      "for $d in Dog where age > 3 { print $d.name }",
      "observe $max as m do { for $p in $properties { print $p.name, $p.newValue } }",
    ], inWrites: true, parse: Self.init)

  enum Elements {
    case expression(ExpressionSyntax)
    /// One round for each row, as a map of its columns.
    case groups(GroupSyntax)
    /// One round for each section, as a map with its key and its rows.
    case sections(SectionsSyntax)
  }
  /// The variable.
  let name: Name
  let elements: Elements
  let block: [Statement]

  init(_ parser: inout StatementParser) throws(ShellError) {
    name = try parser.variable("a new variable")
    try parser.take("in")
    if let group = try parser.group() {
      elements = .groups(group)
      parser.notes?.loops.append((name.text, nil))
    } else {
      let expression = try parser.expression()
      let sections = try expression.query.flatMap { (query) throws(ShellError) in
        try parser.sectionsOrVersion(of: query)
      }
      elements = sections.map { .sections($0) } ?? .expression(expression)
      parser.notes?.loops.append((name.text, sections == nil ? expression : nil))
    }
    defer { parser.notes?.loops.removeLast() }
    block = try parser.block()
  }

  var objectsRead: ObjectsRead { .ofNamedClasses }

  func run(in context: Context) throws {
    switch elements {
    case .expression(let expression):
      try loop(over: try elements(expression, context), context)
    case .groups(let group):
      let groups = try context.groups(group)
      try loop(over: groups.rows.map { .value(groups.entries($0)) }, context)
    case .sections(let sections):
      try loop(over: context.sections(sections).values.map { .value($0) }, context)
    }
  }

  private func loop(over elements: [Variable], _ context: Context) throws {
    var inner = context
    inner.locals[name.text] = nil
    for element in elements {
      try context.checkInterruption(name.span)
      try inner.bind(name, element)
      try inner.execute(block)
    }
  }

  /// The elements of a collection, and the keys of a map.
  private func elements(_ expression: ExpressionSyntax, _ context: Context) throws -> [Variable] {
    if case .path(let path) = expression.kind, let name = path.variable,
      case .changes(let properties)? = context.locals[name] ?? context.shell.variables[name]
    {
      return properties.map { .value($0.content) }
    }
    let resolved = try context.resolve(expression)
    switch resolved {
    case .results(let results):
      return try results.objects.map { object in
        if results.store.isFrozen {
          return .frozen(try results.projected(object).map { .projection($0) } ?? .object(object))
        }
        let held = HeldObject(object)
        return results.projection.map { .projection($0.name, held) } ?? .object(held)
      }
    case .collection(let collection):
      if collection.isMap { return collection.keys.map { .value(.string($0)) } }
      return collection.values.map { element($0, of: collection.store, context) }
    case .elements(let elements):
      return try elements.values.map { element($0, of: elements.collection.store, context) }
    case .values(let values), .value(.list(let values)):
      let store = try context.store
      return values.map { element($0, of: store, context) }
    case .value(.map(let entries)): return entries.inKeyOrder.map { .value(.string($0.key)) }
    case .value, .object, .newObject, .projection:
      throw context.failure(
        .notACollection(context.source.text(expression.span), found: resolved.kind),
        at: expression.span)
    }
  }

  private func element(_ value: Value, of store: DynamicStore, _ context: Context) -> Variable {
    guard case .link = value else { return .value(value) }
    switch Resolved(value, in: store) {
    case .object(let object):
      return store.isFrozen ? .frozen(.object(object)) : .object(HeldObject(object))
    case .newObject(let object): return .newObject(object)
    case .value, .values, .collection, .results, .elements, .projection: return .value(value)
    }
  }
}
