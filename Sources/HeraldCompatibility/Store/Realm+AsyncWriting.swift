import Herald

/// The number of a transaction that waits for its turn.
public typealias AsyncTransactionId = UInt32

extension Realm {
  /// Queues a transaction: `block` is called when it has begun, and calls `commitAsyncWrite` or `cancelWrite`. If it calls
  /// neither, the transaction is rolled back.
  @discardableResult
  public func beginAsyncWrite(_ block: @escaping () -> Void) -> AsyncTransactionId {
    queue(block, onComplete: nil)
  }

  private func queue(
    _ block: @escaping () -> Void, onComplete: (((any Swift.Error)?) -> Void)?
  ) -> AsyncTransactionId {
    let session = RealmSession.of(store)
    let id = session.beginTransaction(onComplete)
    let store = store
    store.writeAsync {
      guard session.waits(id) else { return store.cancelWrite() }
      session.current = (id, false)
      block()
      if session.current?.isCommitted != true, store.isInWriteTransaction { store.cancelWrite() }
      session.current = nil
    } onComplete: { error in
      session.endTransaction(id)?(error)
    }
    return id
  }

  /// Commits the transaction that `beginAsyncWrite` began, after its block has returned; then `onComplete` is called, with
  /// the error if there was one. One that `beginWrite` began is committed at once.
  ///
  /// - Parameter allowGrouping: Nothing: transactions that follow each other share a wait for the disk in any case.
  @discardableResult
  public func commitAsyncWrite(
    allowGrouping: Bool = false, _ onComplete: (((any Swift.Error)?) -> Void)? = nil
  ) -> AsyncTransactionId {
    let session = RealmSession.of(store)
    guard let current = session.current else {
      do {
        try store.commitWrite()
        onComplete?(nil)
      } catch {
        onComplete?(error)
      }
      return 0
    }
    session.commitCurrent(onComplete)
    return current.id
  }

  /// Takes back a transaction that has not begun: its block is not called. A commit cannot be taken back.
  public func cancelAsyncWrite(_ id: AsyncTransactionId) throws {
    _ = RealmSession.of(store).endTransaction(id)
  }

  /// Queues a transaction, which runs after the present turn of the store's executor; `onComplete` also receives the error
  /// of one that cannot begin.
  @discardableResult
  public func writeAsync(
    _ block: @escaping () -> Void, onComplete: (((any Swift.Error)?) -> Void)? = nil
  ) -> AsyncTransactionId {
    let session = RealmSession.of(store)
    let committed = {
      block()
      session.commitCurrent(nil)
    }
    return queue(committed, onComplete: onComplete)
  }

  /// Whether transactions wait for their turn, or are under way.
  public var isPerformingAsynchronousWriteOperations: Bool {
    RealmSession.of(store).hasTransactions
  }
}
