package import HeraldQuery

// What has nothing pending needs no observer: object tokens and filters are folded, and get one again when something
// concerns them.

extension Observatory {
  /// The number of commits for which a filter counts as notified lately.
  private static let lately = 64

  /// Returns a query to keep for long: in less memory, as one of the shape that others have, where there are such.
  package func compacted(_ query: BoundQuery) -> BoundQuery { interest.shapes.compacted(query) }

  /// Folds, where nothing is pending, what is not kept for the next changes.
  func fold(before stamp: Int) {
    interest.objectTokens.fold()
    let lately = unfoldedLimit > 0 ? Self.lately : 0
    interest.foldFilters(beyond: unfoldedLimit, markedBefore: stamp - lately)
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
