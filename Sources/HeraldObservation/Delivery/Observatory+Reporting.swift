import HeraldModel
package import HeraldQuery

extension Observatory {
  /// Advances a token to `reader`'s version and returns its report; nil where there is nothing to report.
  func report(_ observer: Observer, _ reader: any ObjectReader) -> Report? {
    let state = observer.state
    let changes: PendingChanges? =
      if case .pending(let record, _) = state {
        pendingRecords.changes(since: record)
      } else {
        nil
      }
    observer.state = .idle
    queue.remove(observer)
    note(changes, reportedTo: observer.id)
    // Without calls through the protocol, for the subjects that may be thousands.
    if let changes, !observer.isLost, let results = observer.results,
      !results._withUnsafeGuaranteedRef({ $0.isOrphan })
    {
      return results._withUnsafeGuaranteedRef { $0.report(changes, reader) }
    }
    let subject = observer.subject
    let report: Report? =
      switch state {
      case .awaitingInitial:
        observer.isLost ? .initial(count: 0) : begin(observer, reader).map { .initial(count: $0) }
      case .pending, .idle, .dead:
        if observer.isLost {
          subject.deletion(ofOwner: false)
        } else if subject.isOrphan {
          subject.deletion(ofOwner: true)
        } else {
          changes.flatMap { subject.report($0, reader) }
        }
      }
    reportedPath = subject.nestedPlace?.steps
    return report
  }

  /// Notes the changes of the last report, of no nested collection.
  @inline(__always)
  func note(_ changes: PendingChanges?, reportedTo id: TokenID) {
    if reported !== changes { reported = changes }
    reportedToken = id
    if endedWatch != nil { endedWatch = nil }
    if reportedPath != nil { reportedPath = nil }
  }

  /// Begins a token at `reader`'s version, in place of its first report, and returns the number of its rows. Nil if it
  /// has begun already, or has no rows.
  package func begin(_ token: TokenID, _ reader: any ObjectReader) -> Int? {
    guard let observer = registry[token], observer.awaitsInitial else { return nil }
    observer.state = .idle
    queue.remove(observer)
    guard let count = begin(observer, reader) else { return nil }
    observer.note(.initial(count: count), versions: version...version, nanoseconds: 0)
    if observer.isFilter { begun.append(observer) }
    return count
  }

  /// Builds the view of rows. The last report of rows whose owner was deleted before the first call
  /// follows the `initial` in the same round (observation 1.4), so it counts as pending since the
  /// beginning.
  private func begin(_ observer: Observer, _ reader: any ObjectReader) -> Int? {
    let count = observer.subject.begin(observer, interest, reader)
    if count != nil, observer.subject.isOrphan {
      observer.state = .pending(record: pendingRecords.end, since: 0)
      queue.insert(observer)
    }
    return count
  }
}
