import HeraldModel

/// Where a condition is evaluated: the object that it is about, and in a SUBQUERY the objects of
/// the conditions around it, the outermost first.
struct Scope {
  let reader: any ObjectReader
  let root: ObjectID
  var outer: [ObjectID] = []

  /// The scope of a condition inside this one, about another object.
  func entering(_ object: ObjectID) -> Scope {
    Scope(reader: reader, root: object, outer: outer + [root])
  }

  /// The same depth, seen from another object.
  func at(_ object: ObjectID) -> Scope {
    Scope(reader: reader, root: object, outer: outer)
  }
}
