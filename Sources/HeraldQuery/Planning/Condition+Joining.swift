import HeraldModel

extension Condition {
  /// Returns the condition for a scan of a class, in which conditions on linked objects are evaluated
  /// once for each of these, not once for each object that links to it.
  func joined(of classID: ClassID, _ reader: any ObjectReader) -> Condition {
    switch self {
    case .values(let values): return values.joined(of: classID, reader) ?? self
    case .all(let parts):
      return .conjunction(of: parts.map { $0.joined(of: classID, reader) })
    case .any(let parts):
      return .disjunction(of: parts.map { $0.joined(of: classID, reader) })
    case .not(let inner): return .not(inner.joined(of: classID, reader))
    case .constant, .column, .pair, .function: return self
    }
  }

  /// Whether the condition may hold for an absent object, all of whose values are nil.
  var mayAcceptAbsent: Bool {
    switch self {
    case .constant(let value): value
    case .column(let column): column.test.accepts(.null)
    case .all(let parts): parts.allSatisfy(\.mayAcceptAbsent)
    case .any(let parts): parts.contains(where: \.mayAcceptAbsent)
    case .not, .values, .pair, .function: true
    }
  }
}

extension ValuesCondition {
  /// With fewer objects, evaluating each is cheaper than joining.
  private static let joinThreshold = 512

  /// Returns the condition as a test of the column of the path's first link; nil if that is not cheaper.
  fileprivate func joined(
    of classID: ClassID, _ reader: any ObjectReader
  ) -> Condition? {
    guard case .path(let path) = operand.kind, path.startsAtRoot, path.hops.count > 1,
      let hop = path.hops.first, hop.classID == classID, case .single(let link) = hop.kind,
      let target = reader.schema.target(of: link, classID),
      path.hops[1].classID == target, !path.hops[1].isPart
    else { return nil }
    let count = reader.objectCount(of: classID)
    guard count >= Self.joinThreshold, reader.objectCount(of: target) <= count else { return nil }
    let inner = retargeted(to: path.dropFirst, of: target)
    let masks = BoundQuery(classID: target, predicate: BoundPredicate(inner, root: target))
      .members(reader)
    // A nil link makes the value nil, or the collection empty.
    let acceptsNull = operand.isCollection ? quantifier != .any : test.accepts(.null)
    return .column(
      ColumnCondition(
        classID: classID, property: link, test: .numbers(masks, null: acceptsNull),
        wording: wording))
  }
}
