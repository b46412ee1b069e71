import HeraldModel

extension Relation {
  /// Whether two lists as wholes stand in this relation: the first elements that differ decide, then
  /// the shorter comes first.
  func holds(inOrder a: [Value], _ b: [Value], foldsCase: Bool) -> Bool {
    let difference = zip(a, b).first { !Relation.equal.holds($0, $1, foldsCase: foldsCase) }
    switch self {
    case .equal: return difference == nil && a.count == b.count
    case .notEqual: return difference != nil || a.count != b.count
    case .less, .lessOrEqual, .greater, .greaterOrEqual, .beginsWith, .endsWith, .contains, .like:
      if let (left, right) = difference { return holds(left, right, foldsCase: foldsCase) }
      return holds(.int(a.count), .int(b.count), foldsCase: false)
    }
  }
}
