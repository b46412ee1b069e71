import HeraldModel
import HeraldObservation
import TestSupport

/// The library and its slow twin side by side: every random step is done to both, and what the
/// library's tokens receive is compared with what the rules require.
final class ModelRun {
  let seed: UInt64
  var random: SplitMix64
  var sessions: [ModelSession] = []
  var latest: Int
  var states: [Int: ModelStore]
  var commits: [Int: ModelCommit] = [:]
  /// Whether a session of the other process committed a version.
  var isRemote: [Int: Bool] = [:]
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
  private var ownCoverage = ModelCoverage()
  /// Writes under way in deliveries.
  var depth = 0
  /// The depth of the nested parts that are being made.
  var partDepth = 0
  /// The objects that the other process, and this one, have added.
  var numbers: [Bool: Set<ObjectID>] = [:]
  /// The session that has a write open.
  var openSession: ModelSession?
  var frozen: [ModelFrozen] = []
  let level: any ModelLevel
  let focus: ModelFocus
  private var story: [String] = []

  /// With so many sessions, or two or three, and one of another process where the level has one.
  init(
    seed: UInt64, level: any ModelLevel, focus: ModelFocus = .everything, sessions count: Int? = nil
  ) throws {
    self.seed = seed
    self.level = level
    self.focus = focus
    random = SplitMix64(seed: seed)
    let kind =
      level.abilities.contains(.plainSchemas)
      ? .plain : level.abilities.contains(.hasShortLog) ? .unmixed : focus.schemas
    var schema = ModelSchema.random(&random, kind)
    schema.ids = try level.declare(schema)
    ownCoverage.note(schema)
    latest = level.version
    states = [latest: ModelStore(schema: schema)]
    for place in 0..<(count ?? 2 + random.below(2)) {
      sessions.append(try session("s\(place)"))
    }
    if level.abilities.contains(.hasOtherProcess) {
      sessions.append(try session("process", isRemote: true))
    }
  }

  /// The schema of the write that is open, or else of the latest version.
  var schema: ModelSchema {
    let state = openSession?.transaction?.state ?? states[latest]
    guard let state else { preconditionFailure("there is no version \(latest)") }
    return state.schema
  }

  /// Opens a session, which is at the latest version.
  func session(_ name: String, isRemote: Bool = false) throws -> ModelSession {
    let session = ModelSession(name: name, version: latest, isRemote: isRemote)
    let (link, version) = try level.open(name, isRemote: isRemote) {
      [unowned self, unowned session] in receive($0, session)
    }
    session.link = link
    guard version == latest else { throw failure("\(name) begins at version \(version)") }
    return session
  }

  func note(_ line: String) { story.append(line) }

  /// Notes something that only some runs do.
  func noteDone(_ name: String) { ownCoverage.note(name) }

  func note(_ event: ModelEvent, of token: ModelToken) {
    ownCoverage.note(event, of: token, schema)
  }

  /// What the run generated, without sessions that were closed.
  var coverage: ModelCoverage {
    sessions.reduce(into: ownCoverage) { $0.add($1.coverage) }
  }

  func failure(_ what: String) -> ModelFailure {
    let tokens = sessions.flatMap { session in
      session.tokens.filter(\.isLive).map { "\(session.name): \($0.text)" }
    }
    return ModelFailure(
      description: """
        HERALD_SEED=\(seed): \(what)
        \(schema)
        live tokens:
        \(tokens.joined(separator: "\n"))
        the last steps:
        \(story.suffix(60).joined(separator: "\n"))
        """)
  }

  func state(_ session: ModelSession) -> ModelStore {
    states[session.version] ?? ModelStore(schema: schema)
  }

  /// The end of a turn (1.2a, 1.3).
  func endTurn(_ session: ModelSession) throws {
    note("\(session.name): end turn")
    var point: ModelPoint?
    let wasCalled = try deliver(session, .turn, at: "end of turn") {
      point = session.points.last
      return try session.answer(.endTurn)
    }
    if let wasCalled, wasCalled != point?.hasNotified {
      throw failure("endTurn answered \(wasCalled)")
    }
  }

  /// Rule 1.4.
  func refresh(_ session: ModelSession) throws {
    note("\(session.name): refresh")
    let isNew = session.version < latest
    advance(session)
    let answer = try deliver(session, .once, at: "refresh") { try session.answer(.refresh) }
    if let answer, answer != isNew { throw failure("refresh answered \(answer)") }
  }
}

/// What the model is compared with: some part of Herald in which sessions can be opened.
protocol ModelLevel: AnyObject {
  /// Declares classes and projections, and returns the numbers of the classes.
  func declare(_ schema: ModelSchema) throws -> [ClassID]

  var version: Int { get }

  var abilities: Set<ModelAbility> { get }

  /// Opens a session, and returns it with its version.
  func open(
    _ name: String, isRemote: Bool, _ callBack: @escaping (ModelCall) -> ModelAnswer
  ) throws -> (link: any ModelLink, version: Int)
}

/// What a level can do, or does.
enum ModelAbility {
  /// Blocks act: they write, observe and stop, in their session and in others.
  case blocksAct
  /// Property observers receive what their own session does at once.
  case notifiesAtOnce
  /// Nested collections can be changed in part.
  case nests
  /// Schemas have neither values of any type nor embedded classes, and queries are one line.
  case plainSchemas
  /// Sessions can be closed.
  case closes
  /// One session is of another process.
  case hasOtherProcess
  /// The log has the newest version only: sessions that are further behind what the other process
  /// has committed compare versions.
  case hasShortLog
  /// Each statement ends the turns of all sessions.
  case endsTurns
}

/// What is observed, and by how many tokens in a session.
enum ModelFocus {
  case everything
  /// Objects, their properties and their projections.
  case objects
  /// Collections and their results.
  case collections
  /// Many predicates that differ in an interval of one property's values.
  case filters
  /// Lists and maps in values of any type.
  case nested
  /// Everything, by few tokens, so that most of the time goes to other commits.
  case fewTokens
  /// Rows, while classes change.
  case schemas
  /// Everything, by blocks that do everything that blocks may do.
  case reactions

  /// So many tokens in a session.
  var tokens: Int {
    switch self {
    case .everything, .reactions: 9
    case .objects: 24
    case .collections: 20
    case .filters: 40
    case .nested, .schemas: 6
    case .fewTokens: 4
    }
  }

  /// So many objects are soon there.
  var objects: Int {
    switch self {
    case .nested: 4
    case .schemas: 6
    case .everything, .objects, .collections, .filters, .fewTokens, .reactions: 14
    }
  }

  /// So many things are done by the blocks of one step.
  var actions: Int { self == .reactions ? 8 : 5 }

  fileprivate var schemas: ModelSchema.Kind {
    switch self {
    case .nested: .mixed
    case .schemas: .altered
    case .everything, .objects, .collections, .filters, .fewTokens, .reactions: .any
    }
  }
}

/// What was expected and what was seen, with what led to it.
struct ModelFailure: Error, CustomStringConvertible {
  var description: String
}
