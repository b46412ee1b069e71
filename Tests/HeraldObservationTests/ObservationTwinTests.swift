import HeraldModel
import HeraldObservation
import HeraldQuery
import Testing

/// A session's observatory beside observers that know from plain states what must be told.
private struct TwinSession {
  var scenario: TwinScenario
  let reader: TwinReader
  let observatory = Observatory()
  var observers: [TokenID: TwinObserver] = [:]
  var version = 1
  var failures: [String] = []
  let allowsBacklinks: Bool

  init(seed: UInt64) {
    scenario = TwinScenario(seed: seed)
    reader = TwinReader(scenario.state)
    allowsBacklinks = scenario.random.oneIn(3)
  }

  mutating func observe() {
    let classID = scenario.classID()
    var target = TwinObserver.Target.store
    switch scenario.random.below(10) {
    case 0: break
    case 1, 2:
      guard let object = scenario.object(classID, in: scenario.state) else { return }
      target = .object(object, objectFilter(classID))
    case 3, 4, 5:
      guard let owner = scenario.object(classID, in: scenario.state) else { return }
      let property = scenario.random.oneIn(4) ? TwinScenario.values : TwinScenario.links
      let type = scenario.state.schema.classSchema(classID)?.property(property)?.type
      let filter = type?.target.map {
        scenario.rowFilter($0, allowsBacklinks: allowsBacklinks)
      }
      target = .list(owner, property, filter ?? .standard)
    default:
      let query = scenario.query()
      let filter = scenario.rowFilter(query.query.classID, allowsBacklinks: allowsBacklinks)
      target = .results(query, filter)
    }
    let observer = TwinObserver(target, scenario.state)
    observers[observatory.register(observer.observed)] = observer
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
    var record: CommitRecord?
    for place in 0..<count {
      let write = scenario.transaction()
      version += 1
      let next = write.record(version: version)
      let commit = TwinCommit(
        scenario.state, write.state, moved: followed(write, next))
      scenario.state = write.state
      scenario.nextElement = write.elementCount
      record = record.map { $0.merged(with: next) } ?? next
      tell(commit)
      guard !isMerged || place == count - 1, let whole = record else { continue }
      record = nil
      reader.state = write.state
      let silenced = isMerged && count > 1 ? [] : silenced()
      observatory.take(whole, silencing: silenced, reader)
      for token in silenced { observers[token]?.silence() }
    }
    round()
  }

  /// Elements that were moved, in lists that the record follows.
  private func followed(_ write: TwinTransaction, _ record: CommitRecord) -> Set<Int> {
    var elements: Set<Int> = []
    for (classID, change) in record.classes {
      for (property, lists) in change.lists {
        for number in lists.keys {
          elements.formUnion(write.list(ObjectID(classID, number), property).map(\.id))
        }
      }
    }
    return write.movedElements.intersection(elements)
  }

  private mutating func silenced() -> Set<TokenID> {
    guard scenario.random.oneIn(4) else { return [] }
    return Set(observers.keys.sorted().filter { _ in scenario.random.oneIn(3) })
  }

  private func tell(_ commit: TwinCommit) {
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
      observer.take(commit, matches)
    }
  }

  mutating func round() {
    var told: [TokenID: Report] = [:]
    var last: (isStore: Bool, token: TokenID)?
    let round = observatory.beginRound()
    while let (token, report) = observatory.next(in: round, reader) {
      let isStore = report == .changed
      if let last, (last.isStore ? 0 : 1, last.token) >= (isStore ? 0 : 1, token) {
        failures.append("token \(token) after \(last.token)")
      }
      last = (isStore, token)
      told[token] = report
    }
    for (token, observer) in observers {
      if observer.isLive, let problem = observer.check(told[token]) { failures.append(problem) }
      if observatory.isLive(token) != observer.isLive { failures.append("token is live or dead") }
      if !observer.isLive { observers[token] = nil }
    }
    if observatory.owes != observers.values.contains(where: \.isOrphan) {
      failures.append("something is owed after the round")
    }
    if version % 4 == 0 { failures += observatory.violations(reader) }
  }
}

struct ObservationTwinTests {
  @Test(arguments: seeds(150))
  func `every token is told what the rules say (2, 3, 4, 5)`(seed: UInt64) {
    var session = TwinSession(seed: seed)
    for _ in 0..<12 { session.observe() }
    session.round()
    for step in 0..<70 {
      if session.scenario.random.oneIn(4) || session.observers.count < 8 { session.observe() }
      if session.scenario.random.oneIn(12) { session.invalidate() }
      session.step()
      if let failure = session.failures.first {
        Issue.record("HERALD_SEED=\(seed), step \(step): \(failure)")
        return
      }
    }
  }
}
