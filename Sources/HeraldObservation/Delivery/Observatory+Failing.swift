package import HeraldModel

// An observer whose view can no longer be maintained receives the error as its last report, and is dead.

extension Observatory {
  /// Ends every observer, with one last report each, which `nextFailure` returns. Rounds no longer return
  /// them. O(observers).
  package func fail(_ error: HeraldError) {
    let all = observers.all
    let ranks = all.map(\.rank)
    for rank in 0...2 {
      for (observer, own) in zip(all, ranks) where own == rank {
        failures.append(fail(observer, error))
      }
    }
  }

  /// Removes and returns the next last report of a failed observer, in the order of rounds.
  package func nextFailure() -> Due? { failures.isEmpty ? nil : failures.removeFirst() }

  /// Ends one observer, and returns its last report.
  func fail(_ observer: Observer, _ error: HeraldError) -> Due {
    let due = Due(observer, observer.lastReport(error))
    end(observer, .failed(error))
    return due
  }
}

extension Observer {
  /// The order of delivery: store tokens, then property observers, then the others.
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
