import Herald
import TestSupport

extension TwinRun {
  /// Adds a random token; `within` is what the session reads, which an open write may be ahead of.
  func observe(_ session: TwinSession) throws {
    guard let target = randomTarget(session) else { return }
    // Tokens on one object share their key paths; which of them count for a change that was made
    // before one of them was there, the rules do not say.
    if !session.store.isInWrite, case .object(_, .some, _) = target { try endTurn(session) }
    if case .object(let id, _, _) = target, !state(session).exists(id) { return }
    let token = TwinToken(name: "t\(nextName)", target: target, heard: session.version)
    nextName += 1
    note("\(session.name): \(token.text(schema))")
    token.token = try register(token, session)
    session.tokens.append(token)
  }

  private func randomTarget(_ session: TwinSession) -> TwinTarget? {
    let state = state(session)
    switch random.below(12) {
    case 0: return .store
    case 1..<4:
      guard let id = state.all.randomElement(using: &random) else { return nil }
      guard random.chance(60), let type = schema.place(of: id.classID) else {
        return .object(id, keyPaths: nil, isExclusive: false)
      }
      return .object(
        id, keyPaths: random.chance(15) ? [] : randomKeyPaths(type),
        isExclusive: random.chance(25))
    case 4..<8:
      let query = schema.randomQuery(&random)
      return .results(query, randomFilter(query.type))
    default:
      guard let owner = state.all.randomElement(using: &random),
        let type = schema.place(of: owner.classID),
        let list = schema.classes[type].lists.randomElement(using: &random)
      else { return nil }
      guard let target = schema.classes[type].properties[list].target else {
        return .list(owner: owner, property: list, .depth(4))
      }
      return .list(owner: owner, property: list, randomFilter(target))
    }
  }

  private func randomFilter(_ type: Int) -> TwinFilter {
    switch random.below(10) {
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
      let goesOn = random.chance(60)
      guard let target = property.target, goesOn else {
        return path + [random.chance(12) ? "*" : property.name]
      }
      path.append(random.chance(8) && schema.classes[place].links.count == 1 ? "*" : property.name)
      place = target
    }
    return path
  }

  /// Stops a random token, in one of the two ways there are (1.10).
  func stop(_ session: TwinSession) throws {
    guard let token = session.tokens.filter(\.isLive).randomElement(using: &random) else { return }
    if token.shared != nil { try endTurn(session) }
    guard token.isLive else { return }
    token.isLive = false
    session.tokens.removeAll { $0 === token }
    if random.chance(50) {
      note("\(session.name): invalidate \(token.name)")
      token.token?.invalidate()
      token.token?.invalidate()
      if token.token?.isLive == true { throw failure("\(token.name) is live") }
    } else {
      note("\(session.name): drop \(token.name)")
    }
    token.token = nil
  }

  private func register(_ token: TwinToken, _ session: TwinSession) throws -> ObservationToken {
    let store = session.store
    let tell = { [weak self, weak token] (event: TwinEvent) in
      if let self, let token { self.told.append((token, event)) }
    }
    switch token.target {
    case .store: return try store.observe { tell(.store($0)) }
    case .object(let id, let paths, let isExclusive):
      guard let object = store.object(id) else { throw failure("\(id.literal) is not there") }
      return try object.observe(
        keyPaths: paths?.map { $0.joined(separator: ".") }, isExclusive: isExclusive
      ) { [weak self, weak session] object, change in
        if let self, let session { self.look(at: object, session) }
        tell(.object(change))
      }
    case .results(let query, let filter):
      let (paths, depth) = arguments(filter)
      return try results(query, store).observe(keyPaths: paths, depth: depth) {
        [weak self, weak token] rows, change in
        let objects = try rows.objects
        self?.compare(token?.token, with: objects)
        tell(.collection(change, rows: objects.map { .link($0.id) }))
      }
    case .list(let owner, let property, let filter):
      guard let object = store.object(owner), let type = schema.place(of: owner.classID) else {
        throw failure("\(owner.literal) is not there")
      }
      let list = try object.collection(schema.classes[type].properties[property].name)
      let (paths, depth) = arguments(filter)
      return try list.observe(keyPaths: paths, depth: depth) {
        [weak self, weak token, unowned store] list, change in
        if list.isValid, list.property.type.shape == .list, list.property.type.linkedClass != nil {
          let objects = list.values.compactMap { value -> Object? in
            if case .link(let id) = value { store.object(id) } else { nil }
          }
          self?.compare(token?.token, with: objects)
        }
        tell(.collection(change, rows: list.isValid ? list.values : []))
      }
    }
  }

  /// Inside a delivery the rows that a token keeps are those of the collection (1.7).
  private func compare(_ token: ObservationToken?, with objects: [Object]) {
    guard let kept = token?.objects(in: 0..<objects.count + 1), kept == objects else {
      return faults.append("a token's rows are not those of its collection")
    }
    let part = objects.count / 3..<objects.count / 2
    if token?.objects(in: part) != Array(objects[part]) { faults.append("rows \(part) differ") }
  }

  /// The arguments of `observe` that say a filter; four links are what it does without any.
  private func arguments(_ filter: TwinFilter) -> (keyPaths: [String]?, depth: Int?) {
    switch filter {
    case .depth(let limit): (nil, limit == 4 ? nil : limit)
    case .keyPaths(let paths): (paths.map { $0.joined(separator: ".") }, nil)
    }
  }

  func results(_ query: TwinQuery, _ store: Store) throws -> Results {
    let source = Array(query.text(schema).utf8)
    let (tail, end) = try QueryParser.parseTail(source, from: 0)
    if end != source.count { throw failure("parsed only \(end) bytes of \(query.text(schema))") }
    return try store.results(schema.classes[query.type].name, tail, names: NoNames())
  }

  /// Inside a delivery an object is exactly at the version that is told (1.7).
  private func look(at object: Object, _ session: TwinSession) {
    let twin = state(session)[object.id]
    guard object.isValid == (twin != nil) else {
      faults.append("\(object.id.literal) exists: \(object.isValid)")
      return
    }
    if let twin, let fault = fault(object, twin) { faults.append(fault) }
  }
}
