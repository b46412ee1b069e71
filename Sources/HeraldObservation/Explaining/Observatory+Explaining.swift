package import HeraldModel
import HeraldQuery

extension Observatory {
  /// Returns an explanation of a token; nil for a dead one. O(size of its query).
  package func explanation(_ token: TokenID, _ schema: Schema) -> TokenExplanation? {
    guard let observer = registry[token] else { return nil }
    let account = observer.account
    var explanation = TokenExplanation(
      view: [], classes: [], properties: [], paths: [], rows: nil, memory: 0,
      deliveries: account.count, nanoseconds: account.nanoseconds,
      lastNanoseconds: account.lastNanoseconds, last: account.last)
    observer.subject.describe(in: &explanation, schema)
    explanation.classes = explanation.classes.sortedUnique
    explanation.properties = explanation.properties.sortedUnique
    explanation.paths = explanation.paths.sortedUnique
    return explanation
  }
}

extension TokenExplanation {
  mutating func depend(on paths: [PropertyPath], _ schema: Schema) {
    for path in paths {
      self.paths.append(path.text(schema))
      let names = path.properties(schema)
      properties += names
      classes += names.map { String($0.prefix { $0 != "." }) }
    }
  }

  mutating func depend(on watch: RowWatch?, _ schema: Schema) {
    depend(on: watch?.paths.map(\.path) ?? [], schema)
    guard let deep = watch?.deep else { return }
    view.append(deep.key.limit.reach)
    classes += deep.distances.keys.map { schema.name(of: $0) }
  }

  /// Adds a property with its class, and returns its name.
  mutating func depend(on property: PropertyID, of classID: ClassID, _ schema: Schema) -> String {
    let owner = schema.name(of: classID)
    let name = "\(owner).\(schema.name(of: property, classID))"
    classes.append(owner)
    properties.append(name)
    return name
  }

  mutating func describe(_ stage: QueryStage, _ schema: Schema) {
    view.append(stage.wording { $0.text(schema) })
    depend(on: stage.dependencies, schema)
  }
}

extension SortOrder.Key {
  fileprivate func text(_ schema: Schema) -> String {
    expression?.text ?? path.text(schema) + (measure.map { ".\($0.name)" } ?? "")
  }
}

extension Int {
  /// The limit of a deep watch, as text.
  fileprivate var reach: String {
    switch self {
    case 0: "modified by their own properties"
    case 1: "modified by what is up to 1 link away"
    case _: "modified by what is up to \(self) links away"
    }
  }
}

extension [String] {
  fileprivate var sortedUnique: [String] { Set(self).sorted() }
}
