import HeraldModel

extension Relation {
  /// Whether two lists as wholes stand in this relation: lists of one length whose elements do, each
  /// with the one at its place. Lists that are not equal are different.
  func holds(inOrder a: [Value], _ b: [Value], foldsCase: Bool) -> Bool {
    switch self {
    case .notEqual: return !Relation.equal.holds(inOrder: a, b, foldsCase: foldsCase)
    case .equal, .less, .lessOrEqual, .greater, .greaterOrEqual, .beginsWith, .endsWith, .contains,
      .like:
      return a.count == b.count && zip(a, b).allSatisfy { holds($0, $1, foldsCase: foldsCase) }
    }
  }
}
