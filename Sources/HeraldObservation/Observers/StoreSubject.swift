import HeraldModel
import HeraldQuery

/// The observed store: its observer needs no records, since it is notified of every visible commit.
final class StoreSubject: Subject {
  /// The clock at the first visible commit that is not yet reported; nil where there is none.
  private var changedSince: Int?
  /// The clock at which `refreshRequired` became pending; nil where it is not.
  private var refreshSince: Int?
  /// Whether `refreshRequired` was scheduled since the session was last advanced.
  private var isRefreshScheduled = false

  var rank: Observer.Rank { .store }

  /// Whether a report is pending.
  var isPending: Bool { changedSince != nil || refreshSince != nil }

  /// Notes that the session was advanced over a commit.
  func noteCommit(at clock: Int, isSilenced: Bool) {
    refreshSince = nil
    isRefreshScheduled = false
    if changedSince == nil && !isSilenced { changedSince = clock }
  }

  /// Schedules `refreshRequired`, at most once until the next commit is noted.
  func scheduleRefreshRequired(at clock: Int) {
    guard !isRefreshScheduled else { return }
    isRefreshScheduled = true
    refreshSince = clock
  }

  /// Removes and returns a report that was pending at a clock.
  func takeReport(before clock: Int) -> Report? {
    if let since = changedSince, since <= clock {
      changedSince = nil
      return .changed
    }
    guard let since = refreshSince, since <= clock else { return nil }
    refreshSince = nil
    return .refreshRequired
  }

  func register(_ observer: Observer, _ interest: Interest) {
    interest.stores.append((observer, self))
  }

  /// Builds nothing: it has no rows.
  func begin(_ observer: Observer, _ interest: Interest, _ reader: any ObjectReader) -> Int? { 0 }

  /// Returns nil: `takeReport` returns its reports, which come from no record.
  func report(_ changes: PendingChanges, _ reader: any ObjectReader) -> Report? { nil }

  func leave(_ observer: Observer, _ interest: Interest) {
    if let index = interest.storeIndex(of: observer.id) { interest.stores.remove(at: index) }
  }

  func describe(in explanation: inout TokenExplanation, _ schema: Schema) {
    explanation.view = ["every commit"]
  }
}

extension Interest {
  /// The index of a token among the observers of the store.
  func storeIndex(of id: TokenID) -> Int? {
    let index = stores.partitionPoint { $0.observer.id < id }
    return index < stores.count && stores[index].observer.id == id ? index : nil
  }
}
