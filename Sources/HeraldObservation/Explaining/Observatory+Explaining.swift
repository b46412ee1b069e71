package import HeraldModel
import HeraldQuery

extension Observatory {
  /// Returns an explanation of a token; nil for a dead one. O(size of its query).
  package func explanation(_ token: TokenID, _ schema: Schema) -> TokenExplanation? {
    guard let observer = observers[token] else { return nil }
    let account = observer.account
    var explanation = TokenExplanation(
      view: [], classes: [], properties: [], paths: [], rows: nil, memory: 0,
      deliveries: account.count, nanoseconds: account.nanoseconds,
      lastNanoseconds: account.lastNanoseconds, last: account.last)
    switch observer.subject {
    case .store: explanation.view = ["every commit"]
    case .object(let subject): explanation.describe(subject, schema)
    case .projection(let subject):
      let names = subject.fields.map(\.name).joined(separator: ", ")
      let name = schema.name(of: subject.object.classID)
      explanation.view = ["projection of an object of \(name): \(names)"]
      explanation.depend(on: subject.watches.map(\.path), schema)
    case .property(let subject): explanation.describe(subject, schema)
    case .results(let subject): explanation.describe(subject, schema)
    case .collection(let subject): explanation.describe(subject, schema)
    }
    explanation.classes = explanation.classes.sortedUnique
    explanation.properties = explanation.properties.sortedUnique
    explanation.paths = explanation.paths.sortedUnique
    return explanation
  }
}

extension TokenExplanation {
  fileprivate mutating func depend(on paths: [PropertyPath], _ schema: Schema) {
    for path in paths {
      self.paths.append(path.text(schema))
      let names = path.properties(schema)
      properties += names
      classes += names.map { String($0.prefix { $0 != "." }) }
    }
  }

  fileprivate mutating func depend(on watch: RowWatch?, _ schema: Schema) {
    switch watch {
    case .paths(let watches): depend(on: watches.map(\.path), schema)
    case .deep(let watch):
      view.append(watch.key.limit.reach)
      classes += watch.distances.keys.map { schema.name(of: $0) }
    case nil: break
    }
  }

  fileprivate mutating func describe(_ subject: ObjectSubject, _ schema: Schema) {
    let name = schema.name(of: subject.object.classID)
    classes.append(name)
    switch subject.filter {
    case .everything: view = ["an object of \(name): its own properties and its deletion"]
    case .keyPaths(let paths, let isExclusive):
      view = ["an object of \(name): key paths" + (isExclusive ? ", exclusive" : "")]
      depend(on: paths, schema)
    }
  }

  fileprivate mutating func describe(_ subject: PropertySubject, _ schema: Schema) {
    let name = schema.name(of: subject.object.classID)
    classes.append(name)
    guard let property = subject.property else {
      view = ["the deletion of an object of \(name)"]
      return
    }
    view = ["one property of an object of \(name), reported at assignment"]
    properties.append("\(name).\(schema.name(of: property, subject.object.classID))")
  }

  fileprivate mutating func describe(_ subject: ResultsSubject, _ schema: Schema) {
    let query = subject.query
    let name = schema.name(of: query.classID)
    classes.append(name)
    if let source = subject.source {
      let owner = schema.name(of: source.owner.classID)
      let property = "\(owner).\(schema.name(of: source.property, source.owner.classID))"
      view.append("rows of \(property), in its order")
      classes.append(owner)
      properties.append(property)
    } else {
      view.append("rows of \(name), in the order of creation")
    }
    depend(on: query.predicate.dependencies, schema)
    if !query.predicate.isAlways { view.append("filtered") }
    for stage in query.stages { describe(stage, schema) }
    guard let live = subject.live else { return }
    if let span = query.predicate.span, live.group != nil {
      let property = schema.name(of: span.property, query.classID)
      view.append("concerned only by objects with \(name).\(property) in an interval")
    }
    depend(on: live.rowWatch, schema)
    rows = live.view.count
    memory = live.view.byteCount
  }

  private mutating func describe(_ stage: QueryStage, _ schema: Schema) {
    switch stage {
    case .sort(let order):
      let keys = order.keys.map { $0.path.text(schema) + ($0.isAscending ? "" : " descending") }
      view.append("sorted by \(keys.joined(separator: ", "))")
      depend(on: order.dependencies, schema)
    case .distinct(let paths):
      view.append("distinct by \(paths.map { $0.text(schema) }.joined(separator: ", "))")
      depend(on: paths, schema)
    case .limit(let count): view.append("the first \(count)")
    case .filter(let predicate):
      view.append("of these, filtered")
      depend(on: predicate.dependencies, schema)
    }
  }

  fileprivate mutating func describe(_ subject: CollectionSubject, _ schema: Schema) {
    let owner = schema.name(of: subject.owner.classID)
    let property = "\(owner).\(schema.name(of: subject.property, subject.owner.classID))"
    classes.append(owner)
    properties.append(property)
    guard let live = subject.live else {
      view = [property]
      return
    }
    view.append(
      live.location.isInside
        ? "a collection nested in a value of \(property)"
        : "\(live.location.shape.word) \(property)")
    depend(on: live.rowWatch, schema)
    if let origin = live.location.origin {
      let name = schema.name(of: origin.classID)
      classes.append(name)
      properties.append("\(name).\(schema.name(of: origin.property, origin.classID))")
    }
    rows = live.view.count
    memory = live.view.byteCount
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

extension PropertyShape {
  fileprivate var word: String {
    switch self {
    case .single: "value"
    case .list: "list"
    case .set: "set"
    case .map: "map"
    case .backlinks: "backlinks"
    }
  }
}

extension [String] {
  fileprivate var sortedUnique: [String] { Set(self).sorted() }
}
