import HeraldModel

/// A property of one object.
struct ObjectProperty: Hashable {
  var object: ObjectID
  var property: PropertyID
}
