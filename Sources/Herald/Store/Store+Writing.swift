import HeraldEngine
import HeraldModel

extension Store {
  /// Whether a transaction is open.
  public var isInWriteTransaction: Bool { core.isInWrite }

  /// Runs a block in a transaction, and commits it. The transaction begins at the newest version, after the
  /// observers have been notified of what is pending.
  ///
  ///     try store.write { store.add(dog) }
  ///
  /// - Parameters:
  ///   - tokens: The observers that are not notified of this commit.
  ///   - message: What the log says about the commit; nil for nothing.
  ///   - block: What is done in the transaction; an error that it throws rolls everything back.
  ///
  /// Errors, after which nothing was changed: that of the block, or the first one of what it called that cannot
  /// throw, such as `duplicateKey` of `add`; `readOnly`, `frozen`, `closed`, `full`, `writeTooLarge`.
  @discardableResult
  public func write<Result>(
    withoutNotifying tokens: [NotificationToken] = [], message: String? = nil,
    _ block: () throws -> Result
  ) throws -> Result {
    try write(withoutNotifying: tokens, message: message, waiting: true, block)
  }

  /// Runs a block without a result in a transaction. For the compiler: where one expression is the whole of a closure
  /// around `write` and of its block, it does not find that the result is not used.
  public func write(
    withoutNotifying tokens: [NotificationToken] = [], message: String? = nil,
    _ block: () throws -> Void
  ) throws { try write(withoutNotifying: tokens, message: message, waiting: true, block) }

  func write<Result>(
    withoutNotifying tokens: [NotificationToken], message: String?, waiting: Bool,
    _ block: () throws -> Result
  ) throws -> Result {
    core.checkOwner()
    let wasInWrite = core.session.isInWrite
    var hasEnded = false
    var hasRun = false
    do {
      let silenced = tokens.isEmpty ? [] : try core.dynamic.ids(observationTokens(tokens))
      let result = try core.session.write(silencing: silenced, message: message, waiting: waiting) {
        // The block runs again because another machine or program was faster.
        if hasRun { core.endedWrite(isRolledBack: true) }
        hasRun = true
        let result = try block()
        if core.session.isInWrite { try core.throwFailure() } else { hasEnded = true }
        return result
      }
      if !hasEnded { core.endedWrite(isRolledBack: false) }
      return result
    } catch {
      // Not the end of an outer write, in which this one could not begin.
      if !wasInWrite { core.endedWrite(isRolledBack: true) }
      throw error
    }
  }

  /// Begins a transaction, which `commitWrite` or `cancelWrite` ends. If it cannot begin, nothing is done until
  /// `commitWrite`, which throws why.
  public func beginWrite() {
    core.checkOwner()
    do {
      try core.dynamic.beginWrite()
    } catch {
      core.noteFailureToBegin(error)
    }
    core.begunByHand()
  }

  /// Commits the open transaction; the log has `message`. Errors, after which it is rolled back: the first one
  /// of what was called in it, and those of `write`.
  public func commitWrite(
    withoutNotifying tokens: [NotificationToken] = [], message: String? = nil
  ) throws {
    core.checkOwner()
    do {
      try core.throwFailure()
      try core.dynamic.commitWrite(without: observationTokens(tokens), message: message)
      core.endedWrite(isRolledBack: false)
    } catch {
      cancelWrite()
      throw error
    }
  }

  /// Rolls back the open transaction; the objects that it added are invalidated. Does nothing without one.
  public func cancelWrite() {
    core.checkOwner()
    if core.session.isInWrite { try? core.dynamic.rollbackWrite() }
    core.endedWrite(isRolledBack: true)
  }

  /// Queues a transaction, which runs after the present turn of the store's executor, and so may be called in an
  /// observer's block and in a transaction.
  ///
  /// - Parameters:
  ///   - message: What the log says about the commit; nil for nothing.
  ///   - block: What is done in the transaction.
  ///   - onComplete: Called after the commit, with the error if there was none: `closed` of a store that is closed before.
  public func writeAsync(
    message: String? = nil, _ block: @escaping () -> Void,
    onComplete: (((any Error)?) -> Void)? = nil
  ) {
    core.checkOwner()
    let core = core
    do {
      var (hasRun, hasEnded) = (false, false)
      try core.dynamic.writeAsync(message: message) {
        // It runs again for the reason that the block of 'write' does.
        if hasRun { core.endedWrite(isRolledBack: true) }
        hasRun = true
        block()
        if core.session.isInWrite { try core.throwFailure() } else { hasEnded = true }
      } onEnd: { error in
        if !hasEnded { core.endedWrite(isRolledBack: error != nil) }
        onComplete?(error)
      }
      core.owner.turns?.schedule()
    } catch {
      onComplete?(error)
    }
  }

  func observationTokens(_ tokens: [NotificationToken]) throws -> [ObservationToken] {
    try tokens.enumerated().compactMap { index, token in
      try token.silenced(by: core, as: "withoutNotifying[\(index)]")
    }
  }
}
