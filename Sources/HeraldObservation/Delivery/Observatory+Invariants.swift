package import HeraldQuery

extension Observatory {
  /// What is wrong with the observatory and with every view that is at `reader`'s version; empty
  /// where nothing is. Asks every query again: for tests.
  package func violations(_ reader: any ObjectReader) -> [String] {
    var found = owing.violations + owingProperties.violations
    for observer in observers.all {
      let isMarked =
        owing.contains(observer.id.rawValue) || owingProperties.contains(observer.id.rawValue)
      let isOwed = observer.isWaiting
      if isMarked != isOwed { found.append("token \(observer.id.rawValue) is marked wrongly") }
      switch observer.subject {
      case .store, .object, .property, .projection: break
      case .results(let subject):
        if !isOwed { found += subject.live?.view.violations(reader) ?? ["no view"] }
      case .collection(let subject):
        guard !isOwed else { continue }
        found += subject.live.map { $0.view.violations($0.place, reader) } ?? ["no view"]
      }
    }
    for classInterest in interest.classes.values {
      for group in classInterest.groups.values { found += group.spans.violations }
    }
    if isNothingOwed && !pending.isEmpty && log.isEmpty { found.append("changes without records") }
    return found
  }
}

extension Observer {
  fileprivate var isWaiting: Bool {
    switch state {
    case .awaitingInitial, .owed: true
    case .idle, .dead: false
    }
  }
}
