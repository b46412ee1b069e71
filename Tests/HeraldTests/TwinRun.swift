import HeraldEngine
import TestSupport

@testable import Herald

/// A query whose names are all in the schema.
struct NoNames: QueryNames {
  func variable(_ name: String) -> QueryOperand? { nil }
  var variableNames: [String] { [] }
  func object(_ className: String, key: Value) throws -> ObjectID? { nil }
}

/// One session of the library, as the twin knows it.
final class TwinSession {
  let store: Store
  let name: String
  var version: Int
  /// In the order of registration; those that are dead stay until the next turn.
  var tokens: [TwinToken] = []

  init(_ store: Store, name: String, version: Int) {
    self.store = store
    self.name = name
    self.version = version
  }
}

/// What was expected and what was seen, with what led to it.
struct TwinFailure: Error, CustomStringConvertible {
  var description: String
}

/// The library and its slow twin side by side: every random step is done to both, and what the
/// library's tokens are told is compared with what the rules say that they must be told.
final class TwinRun {
  let seed: UInt64
  var random: SplitMix64
  let schema: TwinSchema
  var sessions: [TwinSession] = []
  var latest: Int
  var states: [Int: TwinState]
  var commits: [Int: TwinCommit] = [:]
  var nextSerial = 1
  var nextName = 1
  var transactions = 0
  /// What was told since it was last compared.
  var told: [(token: TwinToken, event: TwinEvent)] = []
  /// What a block itself found wrong.
  var faults: [String] = []
  /// Tokens of which the rules do not say what they are told (see `deliver`).
  var isExcused: Set<String> = []
  private var story: [String] = []

  init(seed: UInt64, store: Store) throws {
    self.seed = seed
    random = SplitMix64(seed: seed)
    var schema = TwinSchema.random(&random)
    for definition in schema.definitions { try store.declare(definition) }
    schema.ids = schema.classes.compactMap { store.schema.classSchema(named: $0.name)?.id }
    self.schema = schema
    latest = store.version
    states = [latest: TwinState(schema: schema)]
    sessions = [TwinSession(store, name: "s0", version: latest)]
    for place in 1...(1 + random.below(2)) {
      let session = try store.newSession(named: "s\(place)")
      sessions.append(TwinSession(session, name: session.name, version: session.version))
    }
    guard store.path != nil else { return }
    let process = Store(try store.session.apart(), named: "process")
    sessions.append(TwinSession(process, name: process.name, version: process.version))
  }

  func note(_ line: String) { story.append(line) }

  func failure(_ what: String) -> TwinFailure {
    let tokens = sessions.flatMap { session in
      session.tokens.filter(\.isLive).map { "\(session.name): \($0.text(schema))" }
    }
    return TwinFailure(
      description: """
        HERALD_SEED=\(seed): \(what)
        \(schema)
        live tokens:
        \(tokens.joined(separator: "\n"))
        the last steps:
        \(story.suffix(45).joined(separator: "\n"))
        """)
  }

  func state(_ session: TwinSession) -> TwinState {
    states[session.version] ?? TwinState(schema: schema)
  }
}

// MARK: - Deliveries

extension TwinRun {
  typealias Owed = [(token: TwinToken, expectation: TwinExpectation)]

  /// The session moves to the newest version.
  func advance(_ session: TwinSession) {
    guard session.version < latest else { return }
    session.version = latest
    for token in session.tokens { token.toldRefresh = false }
  }

  /// What is owed at a delivery point of the session, in order: store tokens, then the others as
  /// they were registered (1.8).
  func deliver(_ session: TwinSession, storeOnly: Bool = false) -> Owed {
    let point = TwinDelivery(
      version: session.version, states: states, commits: commits,
      tokens: session.tokens.filter(\.isLive))
    var owed: Owed = []
    for token in session.tokens where token.isStoreToken {
      if let expectation = point.owed(token) { owed.append((token, expectation)) }
    }
    if storeOnly { return owed }
    for token in session.tokens where !token.isStoreToken {
      // The rules do not say what `initial` is when the owner of the list is gone by then.
      if token.isLive, token.awaitsInitial, case .list(let owner, _, _) = token.target,
        !state(session).exists(owner)
      {
        isExcused.insert(token.name)
        token.isLive = false
      }
      if let expectation = point.owed(token) { owed.append((token, expectation)) }
    }
    session.tokens.removeAll { !$0.isLive }
    return owed
  }

  /// Compares what was told since the last comparison with what had to be told.
  func settle(_ owed: Owed, at point: String) throws {
    let seen = told.filter { !isExcused.contains($0.token.name) }
    told = []
    func list(_ lines: [String]) -> String {
      lines.isEmpty ? "nothing" : lines.joined(separator: "\n")
    }
    func fail(_ what: String) -> TwinFailure {
      failure(
        """
        \(what) at \(point)
        expected: \(list(owed.map { "\($0.token.name): \($0.expectation.text)" }))
        seen: \(list(seen.map { "\($0.token.name): \($0.event.text)" }))
        """)
    }
    if let fault = faults.first { throw fail(fault) }
    guard seen.map(\.token.name) == owed.map(\.token.name) else {
      throw fail("wrong tokens called")
    }
    for (had, was) in zip(owed, seen) {
      if let fault = had.expectation.fault(was.event) {
        throw fail("\(had.token.name): wrong \(fault)")
      }
    }
  }

  /// The end of a turn (1.2a, 1.3).
  func endTurn(_ session: TwinSession) throws {
    note("\(session.name): end turn")
    if session.store.autorefresh { advance(session) }
    var owed = deliver(session)
    if session.version < latest {
      var required: Owed = []
      for token in session.tokens where token.isStoreToken && token.isLive && !token.toldRefresh {
        token.toldRefresh = true
        required.append(
          (
            token,
            .told("refresh required") {
              if case .store(.refreshRequired) = $0 { nil } else { "kind" }
            }
          ))
      }
      owed = required + owed
    }
    let wasCalled = try session.store.endTurn()
    try settle(owed, at: "\(session.name)'s end of turn")
    if isExcused.isEmpty, wasCalled != !owed.isEmpty {
      throw failure("endTurn answered \(wasCalled)")
    }
  }

  /// Rule 1.4.
  func refresh(_ session: TwinSession) throws {
    note("\(session.name): refresh")
    let isNew = session.version < latest
    advance(session)
    let owed = deliver(session)
    let answer = try session.store.refresh()
    try settle(owed, at: "\(session.name)'s refresh")
    if answer != isNew { throw failure("refresh answered \(answer)") }
  }
}
