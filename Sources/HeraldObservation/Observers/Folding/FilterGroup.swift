import HeraldQuery

/// What folded filters have in common.
final class FilterGroup {
  let shape: QueryShape
  let filter: RowFilter
  let watches: ResultsWatches
  /// The index that finds them, which holds the group.
  unowned let index: PredicateIndex
  /// What their receivers share.
  @exclusivity(unchecked) fileprivate var common: AnyObject?

  fileprivate init(
    _ shape: QueryShape, _ filter: RowFilter, _ watches: ResultsWatches, _ index: PredicateIndex
  ) {
    self.shape = shape
    self.filter = filter
    self.watches = watches
    self.index = index
  }

  fileprivate func isOf(
    _ shape: QueryShape, _ filter: RowFilter, _ watches: ResultsWatches
  ) -> Bool {
    self.shape === shape && self.watches === watches && self.filter == filter
  }
}

extension PredicateIndex {
  /// Returns the group of a filter of the index, and its receiver as a folded one; nil for a query without a shape.
  func group(
    of receiver: any ReportReceiver, _ filter: RowFilter, _ live: LiveResults
  ) -> (FilterGroup, any ReportReceiver)? {
    guard let shape = live.view.query.predicate.shape else { return nil }
    for group in filterGroups where group.isOf(shape, filter, live.watches) {
      if let folded = receiver.folded(&group.common) { return (group, folded) }
    }
    let group = FilterGroup(shape, filter, live.watches, self)
    guard let folded = receiver.folded(&group.common) else { return nil }
    filterGroups.append(group)
    return (group, folded)
  }
}
