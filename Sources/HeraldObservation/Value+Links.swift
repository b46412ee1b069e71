package import HeraldModel

extension Value {
  /// The objects that the value links to: itself, or inside a list or a map, in order, as often as
  /// they stand there. O(the size of the value).
  package func forEachLink(_ body: (ObjectID) -> Void) {
    switch self {
    case .link(let target): body(target)
    case .list(let values):
      for value in values { value.forEachLink(body) }
    case .map(let values):
      for value in values.values { value.forEachLink(body) }
    case .null, .bool, .int, .float, .double, .string, .data, .date, .decimal, .uuid, .objectID:
      break
    }
  }

  /// Calls `body` for each object that one of two values links to more often than the other.
  func forEachLinkDifference(from other: Value, _ body: (ObjectID) -> Void) {
    var counts: [ObjectID: Int] = [:]
    forEachLink { counts[$0, default: 0] += 1 }
    other.forEachLink { counts[$0, default: 0] -= 1 }
    for (target, count) in counts where count != 0 { body(target) }
  }
}

extension PropertyType {
  /// Whether values of the type can lead forward to objects.
  var isFollowed: Bool { target != nil || element == .any && !isBacklinks }
}
