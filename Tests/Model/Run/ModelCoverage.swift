import HeraldModel
import HeraldObservation

/// What random runs have generated, by name, with how often: a generator that no longer makes something
/// would miss every fault in it.
struct ModelCoverage {
  private(set) var counts: [String: Int] = [:]

  mutating func note(_ name: String) { counts[name, default: 0] += 1 }

  mutating func note(_ command: ModelCommand) {
    switch command {
    case .change(_, _, let operation): note("change \(caseName(operation))")
    case .changeInside(_, _, _, let operation): note("changeInside \(caseName(operation))")
    case .alter(_, let alteration):
      for change in alteration.changes { note("alter \(caseName(change))") }
    case _: note(caseName(command))
    }
  }

  mutating func note(_ schema: ModelSchema) {
    for property in schema.classes.flatMap(\.properties) {
      let isEmbedded = schema.holdsEmbedded(property)
      let element = property.target == nil ? "\(property.element)" : isEmbedded ? "part" : "link"
      note("\(property.shape) of \(element)")
    }
  }

  /// Notes the words of a query.
  mutating func note(query text: String) {
    for word in Self.queryWords where text.contains(word) { note(word) }
  }

  /// Notes what a token receives.
  mutating func note(_ event: ModelEvent, of token: ModelToken, _ schema: ModelSchema) {
    var kind = caseName(token.target)
    if case .collection(let owner, let place, _) = token.target,
      let type = schema.place(of: owner.classID)
    {
      kind = "\(schema.classes[type].properties[place].shape)"
    }
    if case .results(let query, _) = token.target {
      for stage in query.stages { note("stage \(caseName(stage))") }
    }
    note("\(kind) receives \(caseName(event))")
  }

  mutating func add(_ other: ModelCoverage) {
    counts.merge(other.counts) { $0 + $1 }
  }

  /// Those of some names that were never noted.
  func missing(_ names: [String]) -> [String] { names.filter { counts[$0] == nil } }

  /// The kinds of properties of random schemas.
  static let properties =
    ["single", "list", "set", "map"].flatMap { shape in
      ["int", "string", "double", "date", "bool", "any", "link"].map { "\(shape) of \($0)" }
    }
    + [
      "single of float", "single of decimal", "single of uuid", "single of objectID",
      "single of data", "single of part", "list of part", "map of part", "backlinks of link",
      "list of data", "set of float",
    ]

  /// The words of random queries.
  static let queryWords = [
    "==", "!=", "<", "<=", ">", ">=", "BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "IN", "BETWEEN",
    "[c]", "ANY ", "ALL ", "NONE ", " AND ", " && ", " OR ", " || ", "NOT (", "! ", "TRUEPREDICATE",
    " + ", " - ", " * ", " / ", "SUBQUERY(", "@count", "@min", "@max", "@sum", "@avg", "@keys",
    "@values", "@type", "@links.", "[SIZE]", "[0]", "[FIRST]", "[LAST]", "[\"k1\"]", ".k1", "$n",
    "$p", "nil", "uuid(", "oid(", "binary(", "sort(", " desc", "distinct(", "limit(",
  ]

  /// What runs of every level generate.
  static let everywhere =
    [
      "add", "addEmbeddedObject", "upsert", "set", "delete", "change insert", "change remove",
      "change move", "change replace", "change insertValue", "change removeValue", "change setKey",
      "change removeKey", "change removeAll", "write", "begin", "commit", "rollback", "observe",
      "stop", "endTurn", "refresh", "setAutorefresh", "declare",
    ]
    + ["stage sort", "stage distinct", "stage limit", "stage filter"]
    + ["results", "list", "set", "map", "backlinks", "collectionResults"].map {
      "\($0) receives initial"
    }
    + ["results", "list", "set", "backlinks", "collectionResults"].map { "\($0) receives update" }
    + [
      "map receives mapUpdate", "object receives change", "object receives deleted",
      "projection receives change", "property receives assigned",
      "end receives invalidated", "store receives changed", "store receives refreshRequired",
    ]

  /// What runs of the shell generate, where blocks do nothing.
  static let shell =
    everywhere.filter { $0 != "addEmbeddedObject" && $0 != "stage filter" }
    + ["check", "ask", "askCollection", "read"]

  /// What runs generate whose classes change.
  static let schemas = [
    "alter add", "alter drop", "alter rename", "alter change", "drop", "results receives update",
    "list receives update", "set receives update", "map receives mapUpdate",
    "collectionResults receives update",
  ]

  /// What runs generate whose blocks do everything.
  static let reactions = [
    "a block fails", "a write by hand", "a write by hand, while one begins", "freeze",
    "versions are compared", "a nested delivery",
  ]

  /// What runs of a whole store generate besides.
  static let whole = [
    "queueWrite", "changeInside insert", "changeInside remove", "changeInside move",
    "changeInside replace", "changeInside setKey", "changeInside removeKey",
    "changeInside removeAll", "inside receives initial", "inside receives update",
    "inside receives mapUpdate",
  ]
}

/// The name of an enum's case, without what it holds.
private func caseName(_ value: Any) -> String {
  Mirror(reflecting: value).children.first?.label ?? "\(value)"
}
