import HeraldModel
import HeraldObservation

/// What a session's deliveries and queued writes are at, and what waits for them.
///
/// A delivery calls blocks, which may begin writes, which begin with a delivery: so both are counted. A queued write runs
/// outside of deliveries, at the end of a turn, and has its own. Blocks and queued writes that write in reaction to each
/// other are a chain, whose length is limited. `Session+Turns` and `Session+Write` advance all of it.
/// A class for the reason of `SessionWriting`.
final class SessionDelivery {
  struct QueuedWrite {
    let silencing: [TokenID]
    let message: String?
    /// The length of the chain that it continues.
    let chain: Int
    let body: () throws -> Void
    /// Called after the commit, or with the error if there was none.
    let onEnd: (((any Error)?) -> Void)?
  }

  /// The number of nested rounds of delivery.
  @exclusivity(unchecked) private var depth = 0
  /// Whether a queued write is running.
  @exclusivity(unchecked) private var isRunningQueue = false
  /// The number of writes begun explicitly within nested deliveries, and of nested commits whose store tokens are being
  /// notified.
  @exclusivity(unchecked) var nestedWrites = 0
  /// How many blocks have written in a row, each in reaction to the previous one's write.
  @exclusivity(unchecked) var chain = 0
  /// How many writes blocks have committed or queued.
  @exclusivity(unchecked) var writesOfBlocks = 0
  @exclusivity(unchecked) private(set) var queue: [QueuedWrite] = []
  /// The error that ended all observers, until a delivery throws it.
  @exclusivity(unchecked) var failure: (any Error)?
  /// The pending notifications of property observers in the open write.
  @exclusivity(unchecked) var propertyReports = PendingPropertyReports()
  /// The primary keys of objects deleted in the changes being delivered.
  @exclusivity(unchecked) var deletedKeys: [ObjectID: Value] = [:]

  var isRunning: Bool { depth > 0 }

  /// Whether an observer's block or a queued write is running.
  var isInBlock: Bool { isRunning || isRunningQueue }

  func beginRound() { depth += 1 }

  func endRound() { depth -= 1 }

  /// Queues a write that continues the chain of the block, or of the queued write, that is running.
  func enqueue(
    silencing: [TokenID], message: String?, _ body: @escaping () throws -> Void,
    onEnd: (((any Error)?) -> Void)?
  ) {
    let length = isRunning || !isRunningQueue ? chain : chain + 1
    queue.append(
      QueuedWrite(silencing: silencing, message: message, chain: length, body: body, onEnd: onEnd))
  }

  /// Removes and returns the first queued write, which runs until `endQueued`; the queue must not be empty.
  func beginQueued() -> QueuedWrite {
    let next = queue.removeFirst()
    chain = next.chain
    isRunningQueue = true
    return next
  }

  func endQueued() {
    isRunningQueue = false
    chain += 1
  }

  /// Empties the queue, whose writes will not run; returns them.
  func emptyQueue() -> [QueuedWrite] {
    defer { queue = [] }
    return queue
  }
}
