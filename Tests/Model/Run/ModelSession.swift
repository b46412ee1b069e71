import HeraldModel
import HeraldObservation

/// One session of the library, in this process or in another, as the twin knows it.
final class ModelSession {
  let name: String
  /// Nil until there is one.
  var link: (any ModelLink)?
  let isRemote: Bool
  var version: Int
  /// The version that it reported; compared when a delivery is over.
  private(set) var seenVersion: Int?
  var autorefresh = true
  /// Versions between which the session knows no commits: only the two ends.
  var compared: [Range<Int>] = []
  /// In the order of registration.
  var tokens: [ModelToken] = []
  /// The delivery points under way, each nested in the one before.
  var points: [ModelPoint] = []
  /// The blocks of writes that were begun and not entered yet, each nested in the one before.
  var bodies: [ModelBody] = []
  /// The write that is open, until it is committed or rolled back.
  var transaction: ModelTransaction?
  /// Statements under way, each in a block that is notified of the one before, and what property
  /// observers are still to receive of them, in the order in which things were done (8.1).
  var statements = 0
  var notifications: [ModelNotification] = []
  /// Writes that run after the turn (6.6).
  var queue: [ModelBody] = []

  private(set) var coverage = ModelCoverage()

  init(name: String, version: Int, isRemote: Bool) {
    self.name = name
    self.version = version
    self.isRemote = isRemote
  }

  /// Whether a write is being begun: no block may begin another (6.3).
  var isBeginning: Bool { points.last.map { $0.isBeginning && !$0.isRestarted } ?? false }

  func perform(_ command: ModelCommand) throws -> ModelReply {
    guard let link else { throw ModelFailure(description: "\(name) has no session") }
    coverage.note(command)
    let reply = try link.perform(command)
    seenVersion = nil
    switch reply {
    case .refused(let refusal): throw refusal
    case .done(let version): seenVersion = version
    case .object, .answer, .objects, .rows, .faults: break
    }
    return reply
  }

  func object(_ command: ModelCommand) throws -> ObjectID {
    guard case .object(let id) = try perform(command) else { throw Self.odd(command) }
    return id
  }

  func answer(_ command: ModelCommand) throws -> Bool {
    guard case .answer(let answer) = try perform(command) else { throw Self.odd(command) }
    return answer
  }

  func rows(_ command: ModelCommand) throws -> (ids: [ObjectID], count: Int) {
    guard case .rows(let ids, let count) = try perform(command) else { throw Self.odd(command) }
    return (ids, count)
  }

  func objects(_ command: ModelCommand) throws -> [ModelReading] {
    guard case .objects(let objects) = try perform(command) else { throw Self.odd(command) }
    return objects
  }

  /// What a recount of the store finds wrong.
  func check() throws -> [String] {
    guard case .faults(let faults) = try perform(.check) else { throw Self.odd(.check) }
    return faults
  }

  private static func odd(_ command: ModelCommand) -> ModelFailure {
    ModelFailure(description: "an odd reply to \(command)")
  }

  /// The session and its tokens have ended.
  func leave() {
    link?.leave()
    link = nil
  }
}

/// The block of a write.
struct ModelBody {
  var silenced: [ModelToken]
  var isRolledBack: Bool
}

/// Those of one delivery that may still be called.
struct ModelRound {
  /// The version that the session was at when it began: a token served in a nested delivery has no
  /// more to receive.
  var version: Int
  /// Store tokens first, then property observers, then the others, each as they were registered
  /// (1.8); whoever came later waits for the next round (1.10).
  var rest: [ModelToken]

  init(_ session: ModelSession, isStoreOnly: Bool = false) {
    version = session.version
    rest = session.tokens.filter(\.isStoreToken)
    guard !isStoreOnly else { return }
    rest += session.tokens.filter(\.isPropertyToken)
    rest += session.tokens.filter { !$0.isStoreToken && !$0.isPropertyToken }
  }
}

/// A delivery point of a session that is under way (1.2).
final class ModelPoint {
  enum Stage {
    /// `refresh`, or a commit that notifies store tokens: one round.
    case once
    /// Before a write's block; others may commit meanwhile.
    case beginning
    /// The end of a turn: until nothing is left.
    case turn
    /// Before a queued write's block, at a turn's end.
    case turnBeginning
    /// Its commit, after which the turn's end begins again.
    case turnCommit
  }

  var stage: Stage
  var round: ModelRound
  /// Whether a block was called in this round, and at all.
  var isNotified = false
  var hasNotified = false
  /// Whether a block failed in this round, and at all: then the error comes when all were called.
  var isFailing = false
  var hasFailed = false
  /// Whether a block began a write by hand while this one was beginning, which begins again.
  var isRestarted = false

  init(_ stage: Stage, _ round: ModelRound) {
    self.stage = stage
    self.round = round
  }

  func begin(_ stage: Stage, _ round: ModelRound) {
    self.stage = stage
    self.round = round
    (isNotified, isFailing, isRestarted) = (false, false, false)
  }

  var isBeginning: Bool {
    switch stage {
    case .beginning, .turnBeginning: true
    case .once, .turn, .turnCommit: false
    }
  }

  /// What comes next at a delivery point.
  enum Next {
    case notified(ModelToken, ModelExpectation)
    /// The block of the first queued write.
    case queued
    case nothing
  }
}
