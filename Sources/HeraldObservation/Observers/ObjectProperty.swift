package import HeraldModel

/// A property of one object.
package struct ObjectProperty: Hashable {
  package let object: ObjectID
  package let property: PropertyID

  package init(object: ObjectID, property: PropertyID) {
    self.object = object
    self.property = property
  }
}

extension ObjectProperty {
  /// Nil without an object and its property.
  init?(object: ObjectID?, property: PropertyID?) {
    guard let object, let property else { return nil }
    self.init(object: object, property: property)
  }
}
