import HeraldModel
import HeraldObservation
import HeraldQuery
import TestSupport

/// A session's observatory beside observers that derive from plain states what must be delivered.
struct ModelSession {
  var scenario: ModelScenario
  let reader: ModelReader
  let observatory = Observatory()
  var observers: [TokenID: ModelObserver] = [:]
  var version = 1
  var transactions: Int { version - 1 }
  var failures: [String] = []
  let allowsBacklinks: Bool

  /// What is observed.
  enum Focus {
    case everything
    /// Objects, their properties and their projections, of few objects.
    case objects
    /// Collections and their results, of few objects.
    case collections
    /// Many filters that differ in little.
    case filters
  }

  let focus: Focus

  init(seed: UInt64, _ focus: Focus, isSmall: Bool? = nil) {
    let isSmall = isSmall ?? (focus != .everything && focus != .filters)
    scenario = ModelScenario(seed: seed, isSmall: isSmall)
    self.focus = focus
    reader = ModelReader(scenario.state)
    allowsBacklinks = scenario.random.oneIn(3)
  }

  mutating func observe() {
    let classID = scenario.classID()
    var target = ModelObserver.Target.store
    let choice =
      switch focus {
      case .everything: scenario.random.below(20)
      case .objects: 1 + scenario.random.below(7)
      case .collections: 8 + scenario.random.below(9)
      case .filters: 20
      }
    switch choice {
    case 0: break
    case 1, 2, 3:
      guard let object = scenario.object(classID, in: scenario.state) else { return }
      target = .object(object, objectFilter(classID))
    case 4, 5:
      guard let object = scenario.object(classID, in: scenario.state) else { return }
      target = propertyTarget(object)
    case 6, 7:
      guard let object = scenario.object(classID, in: scenario.state) else { return }
      target = projectionTarget(object)
    case 8, 9, 10, 11, 12:
      guard let owner = scenario.object(classID, in: scenario.state) else { return }
      target = collectionTarget(owner)
    case 13, 14, 15, 16:
      guard let owner = scenario.object(classID, in: scenario.state) else { return }
      target = collectionResultsTarget(owner)
    case 20:
      let row = scenario.random.oneIn(2) ? RowFilter.standard : .keyPaths([])
      target = .results(scenario.filter(classID), row)
    default:
      let query = scenario.query(classID)
      let filter = scenario.rowFilter(classID, allowsBacklinks: allowsBacklinks)
      target = .results(query, filter)
    }
    let observer = ModelObserver(target, scenario.state)
    observers[observatory.register(observer.observed)] = observer
  }

  private mutating func collectionTarget(_ owner: ObjectID) -> ModelObserver.Target {
    let choices = scenario.those(
      [
        ModelScenario.links, ModelScenario.values, ModelScenario.linkSet, ModelScenario.valueSet,
        ModelScenario.linkMap, ModelScenario.valueMap, ModelScenario.mixedList,
        ModelScenario.mixedMap, ModelScenario.mixedSet, ModelScenario.parts, ModelScenario.partMap,
      ] + scenario.backlinksProperties(owner.classID), of: owner.classID)
    guard let property = choices.randomElement(using: &scenario.random) else { return .store }
    let type = scenario.state.schema.classSchema(owner.classID)?.property(property)?.type
    var filter = RowFilter.standard
    if let linked = type?.linkedClass {
      filter = scenario.rowFilter(linked, allowsBacklinks: allowsBacklinks)
    } else if type?.element == .any {
      filter = .deep(limit: scenario.random.below(5))
    }
    return .collection(owner, property, filter)
  }

  private mutating func collectionResultsTarget(_ owner: ObjectID) -> ModelObserver.Target {
    let choices = scenario.those(
      [
        ModelScenario.links, ModelScenario.links, ModelScenario.linkSet, ModelScenario.linkMap,
        ModelScenario.parts, ModelScenario.partMap,
      ] + scenario.backlinksProperties(owner.classID), of: owner.classID)
    guard let property = choices.randomElement(using: &scenario.random) else { return .store }
    let type = scenario.state.schema.classSchema(owner.classID)?.property(property)?.type
    let classID = type?.linkedClass ?? owner.classID
    return .collectionResults(
      owner, property, scenario.query(classID),
      scenario.rowFilter(classID, allowsBacklinks: allowsBacklinks))
  }

  private mutating func propertyTarget(_ object: ObjectID) -> ModelObserver.Target {
    if scenario.random.oneIn(4) { return .invalidated(object) }
    let properties = (scenario.state.schema.classSchema(object.classID)?.properties ?? [])
      .filter { !$0.type.isBacklinks }
    let lists = properties.filter { $0.type.shape == .list }
    if scenario.random.oneIn(3), let list = lists.randomElement(using: &scenario.random) {
      return .property(object, list.id)
    }
    return .property(object, properties[scenario.random.below(properties.count)].id)
  }

  private mutating func projectionTarget(_ object: ObjectID) -> ModelObserver.Target {
    let fields = (0..<1 + scenario.random.below(3)).map { index in
      ProjectionField(
        name: "f\(index)",
        path: scenario.path(
          object.classID, length: 1 + scenario.random.below(3),
          allowsBacklinks: allowsBacklinks))
    }
    let names: [String]? =
      switch scenario.random.below(6) {
      case 0: []
      case 1: ["f0"]
      case 2: ["f1", "f2"]
      default: nil
      }
    return .projection(object, fields, names)
  }

  private mutating func objectFilter(_ classID: ClassID) -> ObjectFilter {
    switch scenario.random.below(6) {
    case 0, 1: return .everything
    case 2: return .keyPaths([], isExclusive: false)
    default:
      let paths = (0..<1 + scenario.random.below(2)).map { _ in
        scenario.path(
          classID, length: 1 + scenario.random.below(3), allowsBacklinks: allowsBacklinks)
      }
      return .keyPaths(paths, isExclusive: scenario.random.oneIn(4))
    }
  }

  mutating func invalidate() {
    let tokens = observers.keys.sorted()
    guard !tokens.isEmpty else { return }
    let token = tokens[scenario.random.below(tokens.count)]
    observatory.invalidate(token)
    observers[token] = nil
    if observatory.isLive(token) { failures.append("an invalidated token is live") }
  }

  /// One transaction or several, taken one by one or as one record, then a round.
  mutating func step() {
    let count = !allowsBacklinks && scenario.random.oneIn(3) ? 2 + scenario.random.below(3) : 1
    let isMerged = scenario.random.oneIn(2)
    let isOwn = scenario.random.oneIn(3)
    var record: CommitRecord?
    for place in 0..<count {
      let write = scenario.transaction()
      version += 1
      let next = write.record(version: version)
      let commit = ModelCommit(
        scenario.state, write.state, moved: followed(write, next))
      scenario.state = write.state
      scenario.nextElement = write.elementCount
      record = record.map { $0.merged(with: next) } ?? next
      tell(commit, isOwn: isOwn)
      guard !isMerged || place == count - 1, let whole = record else { continue }
      record = nil
      reader.state = write.state
      let silenced = isMerged && count > 1 ? [] : silenced()
      observatory.take(whole, silencing: silenced, ownCommit: isOwn, reader)
      for token in silenced { observers[token]?.silence() }
    }
    round()
  }

  /// Elements that were moved, in lists that the record follows.
  private func followed(_ write: ModelTransaction, _ record: CommitRecord) -> Set<Int> {
    var elements: Set<Int> = []
    for (classID, change) in record.classes {
      for (property, delta) in change.properties {
        for number in delta.lists.keys {
          elements.formUnion(write.list(ObjectID(classID, number), property).map(\.id))
        }
      }
    }
    return write.movedElements.intersection(elements)
  }

  private mutating func silenced() -> Set<TokenID> {
    guard scenario.random.oneIn(4) else { return [] }
    let tokens = observers.keys.sorted().filter { observers[$0]?.isSilenceable ?? false }
    return Set(tokens.filter { _ in scenario.random.oneIn(3) })
  }

  private func tell(_ commit: ModelCommit, isOwn: Bool) {
    var shared: [ObjectID: Set<PropertyPath.Step.Kind>] = [:]
    for observer in observers.values where observer.isSharing {
      if case .object(let object, _) = observer.target {
        shared[object, default: []].formUnion(observer.ownMatches(commit))
      }
    }
    for observer in observers.values {
      var matches = observer.ownMatches(commit)
      if observer.isSharing, case .object(let object, _) = observer.target {
        matches.formUnion(shared[object] ?? [])
      }
      observer.take(commit, matches, isOwn: isOwn)
    }
  }

  mutating func round() {
    var told: [TokenID: [Report]] = [:]
    var last: (kind: Int, token: TokenID)?
    let round = observatory.beginRound()
    while let due = try? observatory.next(in: round, reader) {
      let (token, report) = (due.token, due.report)
      let kind = report.orderOfKind
      // A token whose owner was deleted before the first call receives its last one next (1.4).
      if let last, last.token != token, (last.kind, last.token) > (kind, token) {
        failures.append("token \(token) after \(last.token)")
      }
      last = (kind, token)
      told[token, default: []].append(report)
    }
    for (token, observer) in observers {
      let reports = told[token] ?? []
      if observer.isLive, let problem = observer.check(reports.first) { failures.append(problem) }
      let more = reports.dropFirst()
      if observer.isOrphan, let problem = observer.check(more.first) { failures.append(problem) }
      if more.count > (observer.isLive ? 0 : 1) { failures.append("token \(token) told again") }
      if observatory.isLive(token) != observer.isLive { failures.append("token is live or dead") }
      if !observer.isLive { observers[token] = nil }
    }
    if observatory.hasPending { failures.append("something is owed after the round") }
    if version % 4 == 0 { failures += observatory.violations(reader) }
  }
}

extension Report {
  /// Store tokens are called first, then property observers.
  fileprivate var orderOfKind: Int {
    switch self {
    case .changed, .refreshRequired: 0
    case .property, .propertyRows, .invalidated: 1
    case .collection, .change, .deleted, .error: 2
    }
  }
}
