package import HeraldQuery

extension Observatory {
  /// The invariants of the observatory, and of every view that is at `reader`'s version, that do not
  /// hold. Runs every query again: for tests.
  package func violations(_ reader: any ObjectReader) -> [String] {
    var found = pendingTokens.violations + pendingProperties.violations
    for observer in observers.all {
      let isMarked =
        pendingTokens.contains(observer.id.rawValue)
        || pendingProperties.contains(observer.id.rawValue)
      let isPending = observer.isWaiting
      if isMarked != isPending { found.append("token \(observer.id.rawValue) is marked wrongly") }
      switch observer.subject {
      case .store, .object, .property, .projection: break
      case .results(let subject):
        if !isPending { found += subject.live?.view.violations(reader) ?? ["no view"] }
      case .collection(let subject):
        guard !isPending else { continue }
        found += subject.live.map { $0.view.violations($0.location, reader) } ?? ["no view"]
      }
    }
    for classInterest in interest.classes.values {
      for group in classInterest.groups.values { found += group.spans.violations }
    }
    if isNothingPending && !pending.isEmpty && log.isEmpty {
      found.append("changes without records")
    }
    return found
  }
}

extension Observer {
  fileprivate var isWaiting: Bool {
    switch state {
    case .awaitingInitial, .pending: true
    case .idle, .dead: false
    }
  }
}
