import HeraldModel

/// The shapes of queries that a session observes, by class.
package struct QueryShapes {
  fileprivate struct OfClass {
    /// The shapes, of which the one used last comes first.
    var shapes: [QueryShape] = []
    /// The last queries of several comparisons that had no shape: one that is like them shows which comparison varies.
    var others: [ShapedQuery] = []
  }

  /// The number of shapes in use of one class, beyond which queries get none.
  fileprivate static let limit = 16
  /// The number of queries without a shape to compare with.
  fileprivate static let otherLimit = 8
  private var classes: [ClassID: OfClass] = [:]

  package init() {}

  /// Returns a query to keep for long: in less memory, as one of a shape, if it has one. O(the size of the query).
  package mutating func compacted(_ query: BoundQuery) -> BoundQuery {
    guard query.origin == nil, let shaped = ShapedQuery(query) else { return query.compacted }
    return classes[query.classID, default: OfClass()].compacted(shaped) ?? query.compacted
  }
}

extension QueryShapes.OfClass {
  fileprivate mutating func compacted(_ query: ShapedQuery) -> BoundQuery? {
    for index in shapes.indices {
      guard let compacted = shapes[index].compacted(query) else { continue }
      if index > 0 { shapes.insert(shapes.remove(at: index), at: 0) }
      return compacted
    }
    let varying =
      query.isSingle ? 0 : others.lazy.compactMap { query.difference(from: $0) }.first
    guard let varying else {
      if others.count == QueryShapes.otherLimit { others.removeFirst() }
      others.append(query)
      return nil
    }
    guard let shape = QueryShape(query, varying: varying) else { return nil }
    if shapes.count == QueryShapes.limit {
      // One that no query has any more gives way.
      let unused = shapes.indices.last { isKnownUniquelyReferenced(&shapes[$0]) }
      guard let unused else { return nil }
      shapes.remove(at: unused)
    }
    shapes.insert(shape, at: 0)
    return shape.compacted(query)
  }
}
