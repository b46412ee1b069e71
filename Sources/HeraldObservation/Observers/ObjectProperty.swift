import HeraldModel

/// A property of one object.
struct ObjectProperty: Hashable {
  var object: ObjectID
  var property: PropertyID
}

extension ObjectProperty {
  /// Nil without an object and its property.
  init?(object: ObjectID?, property: PropertyID?) {
    guard let object, let property else { return nil }
    self.init(object: object, property: property)
  }
}
