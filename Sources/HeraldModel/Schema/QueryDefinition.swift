/// A query that the store keeps under a name, which stands where a class does in a query.
public struct QueryDefinition: Hashable, Sendable {
  /// The name of the query.
  public let name: String
  /// The class, the projection or the other definition that the query is about.
  public let origin: String
  /// The clauses after it, as text without variables; empty if there are none.
  public let clauses: String
  /// The default columns, as text with their braces; empty if there are none.
  public let columns: String

  /// Makes a query with a name.
  public init(name: String, origin: String, clauses: String = "", columns: String = "") {
    self.name = name
    self.origin = origin
    self.clauses = clauses
    self.columns = columns
  }

  /// `Dog where age > 10 {name}`
  public var text: String {
    [origin, clauses, columns].filter { !$0.isEmpty }.joined(separator: " ")
  }
}

extension Schema {
  /// Returns the query of a name; nil where there is none.
  public func query(named name: String) -> QueryDefinition? {
    definitions.first { $0.name == name }
  }

  /// Adds a query.
  package mutating func put(_ definition: QueryDefinition) { definitions.append(definition) }

  /// Replaces the query of the same name.
  package mutating func replace(_ definition: QueryDefinition) {
    guard let index = definitions.firstIndex(where: { $0.name == definition.name }) else { return }
    definitions[index] = definition
  }

  /// Removes a query.
  package mutating func remove(query name: String) { definitions.removeAll { $0.name == name } }

  /// Whether a class that was declared, a projection or a query has the name.
  package func isTaken(_ name: String) -> Bool {
    classSchema(named: name) != nil || projection(named: name) != nil || query(named: name) != nil
  }

  /// Throws the error that says what has the name, if something has.
  package func checkNameIsFree(_ name: String) throws(HeraldError) {
    if classSchema(named: name) != nil { throw .classExists(name) }
    try checkNameIsFree(ofProjectionOrQuery: name)
  }

  /// Words that stand where the name of a class, a projection or a query may: those of the language, literals and types.
  package static let reservedNames = Set(
    [
      "store", "none", "any", "all", "group", "value", "now", "true", "false", "nil", "null", "inf",
      "infinity", "nan",
    ] + TypeKeyword.allCases.map(\.rawValue))

  /// Throws if a projection or a saved query has the name, or if it is a word that none of them, and no class, may have.
  package func checkNameIsFree(ofProjectionOrQuery name: String) throws(HeraldError) {
    if Self.reservedNames.contains(name) { throw .reservedName(name) }
    if projection(named: name) != nil { throw .projectionExists(name) }
    if query(named: name) != nil { throw .queryExists(name) }
  }
}
