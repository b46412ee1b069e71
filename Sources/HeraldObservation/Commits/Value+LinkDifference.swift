import HeraldModel

extension Value {
  /// Calls `body` with each object that one of two values links to more often than the other.
  func forEachLinkDifference(from other: Value, _ body: (ObjectID) -> Void) {
    var counts: [ObjectID: Int] = [:]
    forEachLink { counts[$0, default: 0] += 1 }
    other.forEachLink { counts[$0, default: 0] -= 1 }
    for (target, count) in counts where count != 0 { body(target) }
  }
}

extension PropertyType {
  /// Whether values of the type can hold forward links.
  package var holdsForwardLinks: Bool { target != nil || element == .any && !isBacklinks }
}
