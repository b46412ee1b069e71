import HeraldModel
package import HeraldQuery

// What has nothing pending needs no observer: object tokens and filters are folded, and get one again when something
// concerns them that cannot be answered without.

extension Observatory {
  /// The number of commits for which a filter counts as notified lately.
  private static let lately = 64

  /// Returns a query to keep for long: in less memory, as one of the shape that others have, where there are such.
  package func compacted(_ query: BoundQuery) -> BoundQuery { interest.shapes.compacted(query) }

  /// Folds, where nothing is pending, what is not kept for the next changes.
  func fold(before stamp: Int) {
    if interest.objectTokens.unfoldedCount > unfoldedLimit { interest.objectTokens.fold() }
    interest.foldedFilters.forgetMarks()
    if interest.foldedFilters.unfoldedCount <= unfoldedLimit { return }
    let lately = unfoldedLimit > 0 ? Self.lately : 0
    interest.foldFilters(beyond: unfoldedLimit, markedBefore: stamp - lately)
  }

  /// Marks a folded filter that a record, or a later one, may concern.
  func mark(folded id: TokenID, _ stamp: Int, _ record: Int) {
    let mark = FoldedFilters.Mark(id: id, stamp: stamp, record: record, since: queue.clock)
    if interest.foldedFilters.mark(mark) {
      queue.insert(filter: id)
    } else if let observer = registry[id] {
      observer.markedBy = stamp
      queue.mark(observer, record)
    }
  }

  /// What a round does about a token without an observer.
  enum FoldedNext {
    case due(Due)
    case nothing
    case needsObserver
  }

  /// Returns the report of a folded filter that was pending before a clock. `failure` as for `next`.
  func nextFolded(
    _ id: TokenID, before clock: Int, _ reader: any ObjectReader, _ failure: () -> HeraldError?
  ) -> FoldedNext {
    guard let mark = interest.foldedFilters.pendingMark(id) else { return .needsObserver }
    guard mark.since <= clock else { return .nothing }
    guard let changes = pendingRecords.changes(since: mark.record) else { return .needsObserver }
    let start = nanoseconds?() ?? 0
    let answer = interest.foldedFilters.answer(id, changes, reader)
    if case .needsObserver = answer { return .needsObserver }
    queue.remove(filter: id)
    note(changes, reportedTo: id)
    let spent = (nanoseconds?() ?? 0) - start
    if let error = failure(), let observer = registry[id] {
      observer.account.spend(spent)
      return .due(fail(observer, error))
    }
    guard case .report(let report) = answer,
      let receiver = interest.foldedFilters.receiver(of: id)
    else {
      if nanoseconds != nil { interest.foldedFilters.withAccount(id) { $0.spend(spent) } }
      return .nothing
    }
    let versions = min(changes.firstVersion, version)...version
    interest.foldedFilters.withAccount(id) { account in
      account.note(report, versions: versions)
      account.spend(spent)
    }
    return .due(Due(id, report, receiver))
  }

  /// Folds the filters that had their first report, but the first ones.
  func foldBegun() {
    if interest.foldedFilters.unfoldedCount >= unfoldedLimit {
      interest.foldedFilters.forgetEnded(interest.observers)
    }
    while let observer = begun.popLast() {
      if observer.state == .dead { continue }
      // The stamp of a mark is for `why`, until the next commit.
      if observer.markedBy >= 0 || interest.foldedFilters.unfoldedCount < unfoldedLimit {
        interest.foldedFilters.noteUnfolded(observer.id)
      } else {
        _ = interest.fold(observer)
      }
    }
  }
}
