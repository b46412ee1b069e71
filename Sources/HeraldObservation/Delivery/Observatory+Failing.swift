package import HeraldModel

// An observer whose view can no longer be maintained receives the error as its last report, and is dead.

extension Observatory {
  /// Ends every observer, with one last report each, which `nextFailure` returns. Rounds no longer return
  /// them. O(observers).
  package func fail(_ error: HeraldError) {
    let all = registry.all
    for rank in Observer.Rank.allCases {
      for observer in all where observer.rank == rank {
        queue.failures.append(fail(observer, error))
      }
    }
  }

  /// Removes and returns the next last report of a failed observer, in the order of rounds.
  package func nextFailure() -> Due? {
    queue.failures.isEmpty ? nil : queue.failures.removeFirst()
  }

  /// Ends one observer, and returns its last report.
  func fail(_ observer: Observer, _ error: HeraldError) -> Due {
    let due = Due(observer, observer.subject.lastReport(error))
    end(observer, .failed(error))
    return due
  }
}
