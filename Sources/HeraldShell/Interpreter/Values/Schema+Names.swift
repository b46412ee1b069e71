import Herald

extension Schema {
  /// The names that stand for rows in a query: declared classes, projections and definitions.
  var namesOfRows: [String] {
    classes.filter(\.isDeclared).map(\.name) + projections.map(\.name) + definitions.map(\.name)
  }

  /// The named definition or projection, if it can replace a class in queries.
  func standIn(named name: String) -> String? {
    if projections.contains(where: { $0.name == name }) { return "a projection" }
    return definitions.contains { $0.name == name } ? "a defined query" : nil
  }

  /// Whether a name is that of a class which was declared, not only linked to, or of a projection or a query.
  func isDeclared(_ name: String) -> Bool {
    classSchema(named: name).map(\.isDeclared) ?? isTaken(name)
  }
}
