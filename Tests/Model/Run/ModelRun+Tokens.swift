import HeraldModel
import HeraldObservation
import TestSupport

extension ModelRun {
  /// Adds a random token.
  func observe(_ session: ModelSession) throws {
    let schema = state(session).schema
    guard let target = randomTarget(session), !isUndecided(target, schema) else { return }
    if target.shared != nil {
      // Tokens on one object share their key paths; which of them count for a change that was made
      // before one of them was there, the rules do not say.
      guard session.points.isEmpty else { return }
      if openSession !== session { try endTurn(session) }
      if let owner = target.owner, !state(session).exists(owner) { return }
    }
    let token = ModelToken(
      name: "t\(nextName)", target: target, schema, deliveredUpTo: session.version)
    nextName += 1
    note("\(session.name): \(token.text)")
    let (sight, restriction) = words(target, schema)
    _ = try session.perform(.observe(name: token.name, sight, restriction))
    session.tokens.append(token)
  }

  /// Whether the rules do not say what the target's observer receives: when one commit moves a link from one
  /// key of a map to another, an observer of nothing but the backlinks through that map; when a property is
  /// dropped, one whose predicate names it but does not depend on it; when two versions of a list are compared,
  /// one that observes it as a property.
  private func isUndecided(_ target: ModelTarget, _ schema: ModelSchema) -> Bool {
    if focus == .schemas, let query = target.query {
      let text = query.text(schema)
      return ["nil", "{}", "PREDICATE", ").@"].contains(where: text.contains)
    }
    if level.abilities.contains(.hasShortLog), case .property(let id, let place) = target {
      return schema.place(of: id.classID).map { schema.classes[$0].properties[place].shape }
        == .list
    }
    guard case .object(let id, let keyPaths?, _) = target, let type = schema.place(of: id.classID)
    else { return false }
    return keyPaths.contains { path in
      guard path.count == 1,
        let known = schema.classes[type].properties.first(where: { $0.name == path[0] }),
        let origin = known.origin, let other = known.target
      else { return false }
      return schema.classes[other].properties[origin].shape == .map
    }
  }

  private func randomTarget(_ session: ModelSession) -> ModelTarget? {
    let schema = state(session).schema
    let kind = random.pick(focus.choices)
    if kind == .store { return .store }
    if kind == .results {
      if focus == .filters, let query = schema.randomInterval(&random) {
        return .results(query, random.chance(50) ? .depth(4) : .keyPaths([]))
      }
      if focus != .schemas, random.chance(25),
        let place = schema.projections.indices.randomElement(using: &random)
      {
        let projection = schema.projections[place]
        return .results(
          schema.randomQuery(of: projection, &random),
          .shown(place, names: randomNames(of: projection)))
      }
      let query = schema.randomQuery(&random)
      return .results(query, randomFilter(query.type))
    }
    guard let id = state(session).all.randomElement(using: &random),
      let type = schema.place(of: id.classID)
    else { return nil }
    if focus != .schemas, random.chance(focus == .nested ? 75 : 25),
      let target = randomInside(id, type, session)
    {
      return target
    }
    switch kind {
    case .store, .results: return nil
    case .object:
      guard random.chance(60) else { return .object(id, keyPaths: nil, isExclusive: false) }
      return .object(
        id, keyPaths: random.chance(15) ? [] : randomKeyPaths(type),
        isExclusive: random.chance(25))
    case .projection: return randomProjection(id, type)
    case .property:
      let places = schema.classes[type].properties.indices.filter {
        schema.classes[type].properties[$0].isGiven
      }
      return .property(id, random.pick(places))
    case .end:
      let collections = schema.classes[type].collections
      return .end(
        id, ofCollection: random.chance(30) ? collections.randomElement(using: &random) : nil)
    case .collectionResults:
      return randomCollectionQuery(type, schema).map { property, query in
        .collectionResults(owner: id, property: property, query, randomFilter(query.type))
      }
    case .collection:
      guard let place = schema.classes[type].collections.randomElement(using: &random) else {
        return nil
      }
      let property = schema.classes[type].properties[place]
      let filter =
        property.target.map(randomFilter)
        ?? .depth(property.element == .any ? random.pick([0, 1, 4]) : 4)
      return .collection(owner: id, property: place, filter)
    }
  }

  private func randomProjection(_ id: ObjectID, _ type: Int) -> ModelTarget? {
    guard let place = schema.projections.firstIndex(where: { $0.type == type }) else { return nil }
    return .projection(id, place, names: randomNames(of: schema.projections[place]))
  }

  private func randomNames(of projection: ModelSchema.Projection) -> [String]? {
    if random.chance(60) { return nil }
    return projection.fields.map(\.name).filter { _ in random.chance(50) }
  }

  private func randomFilter(_ type: Int) -> ModelFilter {
    switch random.below(focus == .schemas ? 6 : 10) {
    case 0..<4: .depth(4)
    case 4..<6: .depth(random.pick([0, 1, 2, 6]))
    case 6: .keyPaths([])
    default: .keyPaths(randomKeyPaths(type))
    }
  }

  private func randomKeyPaths(_ type: Int) -> [[String]] {
    (0...random.below(2)).map { _ in randomKeyPath(type) }
  }

  private func randomKeyPath(_ type: Int) -> [String] {
    var path: [String] = []
    var place = type
    for _ in 0..<3 {
      let properties = schema.classes[place].properties
      let property =
        random.chance(40)
        ? schema.classes[place].links.randomElement(using: &random).map { properties[$0] }
          ?? random.pick(properties)
        : random.pick(properties)
      let shouldContinue = random.chance(60)
      guard let target = property.target, shouldContinue else {
        return path + [random.chance(12) ? "*" : property.name]
      }
      // A star leads to what any of the links leads to.
      path.append(random.chance(8) && property.shape != .backlinks ? "*" : property.name)
      place = target
    }
    return path
  }

  /// Stops a random token, in one of the two ways there are (1.10).
  func stop(_ session: ModelSession) throws {
    guard let token = session.tokens.filter(\.isLive).randomElement(using: &random) else { return }
    try stop(token, session)
  }

  func stop(_ token: ModelToken, _ session: ModelSession) throws {
    if token.target.shared != nil {
      // See `observe`.
      guard session.points.isEmpty else { return }
      try endTurn(session)
    }
    guard token.isLive else { return }
    // A write that is to be silent for a token holds it.
    let isDropped = token.holders == 0 && random.chance(50)
    note("\(session.name): \(isDropped ? "drop" : "invalidate") \(token.name)")
    token.isLive = false
    let isLive = try session.answer(.stop(name: token.name, isDropped: isDropped))
    if isLive { throw failure("\(token.name) is live") }
    if session.points.isEmpty { session.tokens.removeAll { $0 === token } }
  }

  private func words(
    _ target: ModelTarget, _ schema: ModelSchema
  ) -> (ModelObservation, ModelRestriction) {
    func name(_ owner: ObjectID, _ property: Int) -> String {
      schema.name([property], from: schema.place(of: owner.classID) ?? 0)
    }
    switch target {
    case .store: return (.store, ModelRestriction())
    case .object(let id, let paths, let isExclusive):
      return (
        .object(id, isExclusive: isExclusive),
        ModelRestriction(keyPaths: paths?.map { $0.joined(separator: ".") })
      )
    case .results(let query, .shown(let place, let names)):
      let projection = schema.projections[place]
      let text = query.text(schema.seen(through: projection))
      return (
        .results(className: projection.name, text: text), ModelRestriction(keyPaths: names)
      )
    case .results(let query, let filter):
      let name = schema.classes[query.type].name
      return (.results(className: name, text: query.text(schema)), restriction(filter))
    case .collection(let owner, let property, let filter):
      return (.collection(owner, property: name(owner, property)), restriction(filter))
    case .collectionResults(let owner, let property, let query, let filter):
      let sight = ModelObservation.collectionResults(
        owner, property: name(owner, property), text: query.text(schema))
      return (sight, restriction(filter))
    case .projection(let id, let place, let names):
      return (
        .projection(id, name: schema.projections[place].name), ModelRestriction(keyPaths: names)
      )
    case .inside(let place, let filter):
      let sight = ModelObservation.inside(
        place.owner, property: name(place.owner, place.property), place.path)
      return (sight, restriction(filter))
    case .property(let id, let place):
      return (.property(id, name: name(id, place)), ModelRestriction())
    case .end(let id, let place):
      return (.end(id, ofCollection: place.map { name(id, $0) }), ModelRestriction())
    }
  }

  /// The arguments of `observe` that say a filter; four links are what it does without any.
  private func restriction(_ filter: ModelFilter) -> ModelRestriction {
    switch filter {
    case .depth(let limit): ModelRestriction(depth: limit == 4 ? nil : limit)
    case .keyPaths(let paths):
      ModelRestriction(keyPaths: paths.map { $0.joined(separator: ".") })
    case .shown(_, let names): ModelRestriction(keyPaths: names)
    }
  }
}

/// What `randomTarget` makes; nested collections come in place of others.
private enum TokenKind: CaseIterable {
  case store, results, object, projection, collectionResults, collection, property, end

  var weight: Int {
    switch self {
    case .store, .projection, .end: 1
    case .collectionResults: 2
    case .object, .collection: 3
    case .results, .property: 4
    }
  }
}

extension ModelFocus {
  /// The kinds of tokens to choose from, each as often as its weight.
  fileprivate var choices: [TokenKind] {
    let kinds: [TokenKind] =
      switch self {
      case .everything, .fewTokens, .reactions: TokenKind.allCases
      case .objects: [.object, .projection, .property, .end]
      case .collections, .nested: [.collectionResults, .collection]
      case .filters: [.results]
      case .schemas: [.store, .results, .collectionResults, .collection]
      }
    return kinds.flatMap { Array(repeating: $0, count: $0.weight) }
  }
}
