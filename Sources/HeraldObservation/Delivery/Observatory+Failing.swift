package import HeraldModel

// An observer whose view can no longer be kept is notified of that once, and is dead: what it was told
// before no longer says what there is.

extension Observatory {
  /// Ends every observer. Each has one last report pending, which `nextFailure` returns; none of them is
  /// in a round any more. O(observers).
  package func fail(_ error: HeraldError) {
    let all = observers.all
    let ranks = all.map(\.rank)
    for rank in 0...2 {
      for (observer, own) in zip(all, ranks) where own == rank {
        failures.append(fail(observer, error))
      }
    }
  }

  /// The next last report of an observer that has ended, in the order in which a round serves them.
  package func nextFailure() -> Due? { failures.isEmpty ? nil : failures.removeFirst() }

  /// Ends one observer, and returns its last report.
  func fail(_ observer: Observer, _ error: HeraldError) -> Due {
    let due = Due(observer, observer.lastReport(error))
    end(observer, .failed(error))
    return due
  }
}

extension Observer {
  /// Store tokens are served before property observers, and these before the others.
  fileprivate var rank: Int {
    switch subject {
    case .store: 0
    case .property: 1
    case .object, .results, .collection, .projection: 2
    }
  }

  fileprivate func lastReport(_ error: HeraldError) -> Report {
    switch subject {
    case .results, .collection: .collection(.error(error))
    case .store, .object, .property, .projection: .error(error)
    }
  }
}
