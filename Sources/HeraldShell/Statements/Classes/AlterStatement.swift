import Herald

/// `alter Dog { add weight: double = 0; drop nick; rename age to years; name: string? }`.
struct AlterStatement: StatementForm {
  static let command = Command(
    "alter",
    [
      "alter CLASS { CHANGE; ... }",
      "CHANGE: add PROPERTY: TYPE | drop PROPERTY | rename PROPERTY to NAME | PROPERTY: TYPE",
      "CHANGE: link PROPERTY to CLASS as NAME [or nil] | keep TIME | COUNT | TIME, COUNT | all",
    ], "change a class and migrate its objects",
    [
      "Changes are add PROPERTY: TYPE, drop PROPERTY, rename PROPERTY to NAME, and PROPERTY: "
        + "TYPE, which redeclares a property with the type, default, primary and indexed given "
        + "there. All changes are made or none; an error names the first object that cannot be "
        + "converted. If there are objects, an added property needs a default, which they get, "
        + "or an optional type.",
      "When a type changes, every value is converted: numbers round to float, double and "
        + "decimal; an int accepts only whole numbers; bool and int convert as 0 and 1; a scalar "
        + "becomes the string that it prints as, and a string the value that it parses as. A "
        + "single value becomes a list or a set of one, nil an empty one, and back; a map "
        + "converts only to a map.",
      "link makes a link of a property with keys of another class, and drops that property. A key that "
        + "no object has is an error, which says how many there are, or a link that is nil, with or nil.",
      "keep sets which objects the class keeps, as behind its declaration; keep all lets none expire.",
      "Backlinks, projections, queries and observers follow a renamed property. A property that "
        + "a projection, a query or backlinks name cannot be dropped, nor get a type with which a "
        + "query would be an error. Behind a value of type any a query's name means the property "
        + "if only one class has one of that name; if several have, none of these can be renamed. "
        + "[\"key\"] is always the key of a map. An alter is not a change of an "
        + "object: only observers of the store are notified, and of link those of the objects that get "
        + "one. An observer whose rows were "
        + "selected, sorted or held by a property that was dropped, or that has another type "
        + "now, is notified that all rows are deleted, and ends.",
    ],
    examples: [
      "class Order { id: int primary; buyer: int? }; alter Order { link buyer to Person as buyer or nil }",
      "alter Dog { add weight: double = 0; rename age to years }",
      "alter Dog { keep 7d }; alter Dog { keep all }",
      "alter Dog { name: string?; years: int = 1 indexed }", "alter Person { drop tags }",
    ], inWrites: true, parse: Self.init)

  enum Change {
    case add(PropertySyntax)
    case drop(Name)
    case rename(Name, to: Name)
    case change(PropertySyntax)
    case link(LinkedColumn)
    case keep(ObjectRetention?)
  }
  let className: Name
  let changes: [Change]

  init(_ parser: inout StatementParser) throws(ShellError) {
    className = try parser.name("a class")
    parser.notes?.owner = PropertyOwner(.declared(className.text))
    var changes: [Change] = []
    _ = try parser.braced { parser throws(ShellError) in
      parser.notes?.owner?.given = changes.compactMap(\.changedProperty)
      changes.append(try Self.alteration(&parser))
    }
    self.changes = changes
  }

  /// A property may have the name of a keyword: a `:` after the word decides.
  private static func alteration(_ parser: inout StatementParser) throws(ShellError) -> Change {
    var ahead = parser
    ahead.advance()
    guard !ahead.isSign(":") else { return .change(try PropertySyntax.parse(&parser)) }
    if parser.takeIf("add") {
      parser.notes?.owner = nil
      return .add(try PropertySyntax.parse(&parser))
    }
    if parser.takeIf("change") { return .change(try PropertySyntax.parse(&parser)) }
    if parser.takeIf("drop") { return .drop(try parser.name("a property")) }
    if parser.takeIf("rename") {
      let property = try parser.name("a property")
      try parser.take("to")
      parser.notes?.owner = nil
      return .rename(property, to: try parser.name("a property"))
    }
    if parser.takeIf("link") { return .link(try LinkedColumn(&parser)) }
    if parser.takeIf("keep") {
      return .keep(parser.takeIf("all") ? nil : try parser.objectRetention())
    }
    throw parser.expected("'add', 'drop', 'rename', 'link', 'keep' or a property and its type")
  }

  func run(in context: Context) throws {
    let alterations = try changes.flatMap { change -> [ClassAlteration] in
      switch change {
      case .add(let property): [.add(try property.definition(context))]
      case .drop(let name): [.drop(name.text)]
      case .rename(let name, let newName): [.rename(name.text, to: newName.text)]
      case .change(let property): [.change(try property.definition(context))]
      case .link(let column): column.alterations
      case .keep(let retention): [.keep(retention)]
      }
    }
    var nilCount = 0
    let declared = changes.compactMap { change -> PropertySyntax? in
      switch change {
      case .add(let property), .change(let property): property
      case .drop, .rename, .link, .keep: nil
      }
    }
    try PropertySyntax.placingDefaults(of: declared, context) {
      try context.change { store in
        // Before anything is changed, since a key may lead nowhere.
        var links: [LinkedColumn.Links] = []
        for case .link(let column) in changes {
          links.append(try column.links(in: className, store, context))
        }
        try store.alter(className.text, alterations)
        for links in links { try links.set() }
        nilCount = links.reduce(0) { $0 + $1.nilCount }
      }
    }
    context.confirm { "altered \(className.text)" + Self.remark(onNilLinks: nilCount) }
    try PropertySyntax.remarkOnLinks(of: declared, context)
  }
}

extension AlterStatement {
  private static func remark(onNilLinks count: Int) -> String {
    switch count {
    case 0: ""
    case 1: "; 1 link leads nowhere, and is nil"
    default: "; \(count) links lead nowhere, and are nil"
    }
  }
}

extension AlterStatement.Change {
  /// The property of the class that is changed; nil for a new one.
  fileprivate var changedProperty: String? {
    switch self {
    case .add, .keep: nil
    case .drop(let name), .rename(let name, to: _): name.text
    case .change(let property): property.name.text
    case .link(let column): column.name.text
    }
  }
}
