package import HeraldQuery

extension Observatory {
  /// The invariants of the observatory, and of every view that is at `reader`'s version, that do not
  /// hold. Runs every query again: for tests.
  package func violations(_ reader: any ObjectReader) -> [String] {
    var found = queue.others.violations + queue.properties.violations
    found += queue.stores.violations + interest.objectTokens.violations
    for (observer, subject) in interest.stores
    where queue.stores.contains(observer.id.rawValue) != subject.isPending {
      found.append("token \(observer.id.rawValue) on the store is marked wrongly")
    }
    for observer in registry.allOfMore + interest.objectTokens.unfolded {
      if queue.contains(observer) != observer.isPending {
        found.append("token \(observer.id.rawValue) is marked wrongly")
      }
      if !observer.isPending { found += observer.subject.violations(reader) }
    }
    found += interest.violationsOfFoldedFilters(pending: queue.others.contains, reader)
    found += interest.violationsOfValueSubscribers
    for classInterest in interest.classes.values {
      for group in classInterest.groups.values { found += group.spans.violations }
    }
    if queue.isEmpty { found += pendingRecords.violationsWhenIdle }
    return found
  }
}
