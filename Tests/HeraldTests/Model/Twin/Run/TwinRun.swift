import FoundationEssentials
import HeraldEngine
import OtherProcess
import TestSupport

@testable import Herald

/// What was expected and what was seen, with what led to it.
struct TwinFailure: Error, CustomStringConvertible {
  var description: String
}

/// The library and its slow twin side by side: every random step is done to both, and what the
/// library's tokens receive is compared with what the rules require.
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
  /// Those that were committed or rolled back.
  var transactions = 0
  /// Those of them that a block began in a delivery, and those that the other process made.
  var inDeliveries = 0
  var inOtherProcess = 0
  /// What a block found wrong.
  var faults: [String] = []
  /// What blocks may still do in the present step.
  var actionsLeft = 0
  /// Writes under way in deliveries.
  var depth = 0
  /// The depth of the nested parts that are being made.
  var partDepth = 0
  /// The objects that the other process, and this one, have added.
  var numbers: [Bool: Set<ObjectID>] = [:]
  /// The session that has a write open.
  var openSession: TwinSession?
  private let store: Store
  private var story: [String] = []

  /// With a second process where the store is a file.
  init(seed: UInt64, store: Store) throws {
    self.seed = seed
    self.store = store
    random = SplitMix64(seed: seed)
    var schema = TwinSchema.random(&random)
    for definition in schema.definitions { try store.declare(definition) }
    for projection in schema.projectionDefinitions { try store.declare(projection) }
    schema.ids = schema.classes.compactMap { store.schema.classSchema(named: $0.name)?.id }
    self.schema = schema
    latest = store.version
    states = [latest: TwinState(schema: schema)]
    sessions = [session(store, "s0")]
    for place in 1...(1 + random.below(2)) {
      sessions.append(session(try store.newSession(named: "s\(place)"), "s\(place)"))
    }
    if let path = store.path { sessions.append(try otherProcess(path)) }
  }

  func session(_ store: Store, _ name: String) -> TwinSession {
    let session = TwinSession(name: name, version: store.version)
    session.link = TwinExecutor(store) { [unowned self, unowned session] in receive($0, session) }
    return session
  }

  func otherProcess(_ path: String) throws -> TwinSession {
    let session = TwinSession(name: "process", version: latest)
    numbers[true] = []
    let remote = try TwinRemote(path) { [unowned self, unowned session] in receive($0, session) }
    session.link = remote
    guard remote.version == latest else { throw failure("a process is at \(remote.version)") }
    return session
  }

  /// Another session of the first one's store.
  func newStore(_ name: String) throws -> Store { try store.newSession(named: name) }

  var path: String? { store.path }

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
        \(story.suffix(60).joined(separator: "\n"))
        """)
  }

  func state(_ session: TwinSession) -> TwinState {
    states[session.version] ?? TwinState(schema: schema)
  }

  /// The end of a turn (1.2a, 1.3).
  func endTurn(_ session: TwinSession) throws {
    note("\(session.name): end turn")
    var wasCalled = false
    var point: TwinPoint?
    try deliver(session, .turn, at: "end of turn") {
      point = session.points.last
      wasCalled = try session.answer(.endTurn)
    }
    if wasCalled != point?.hasTold { throw failure("endTurn answered \(wasCalled)") }
  }

  /// Rule 1.4.
  func refresh(_ session: TwinSession) throws {
    note("\(session.name): refresh")
    let isNew = session.version < latest
    advance(session)
    var answer = false
    try deliver(session, .once, at: "refresh") { answer = try session.answer(.refresh) }
    if answer != isNew { throw failure("refresh answered \(answer)") }
  }
}
