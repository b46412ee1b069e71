/// What a collection can have as elements: objects, projections and values.
public protocol CollectionElement: Storable {
  /// The class of objects that are elements, or that these project; nil of values.
  static var _objectType: ObjectBase.Type? { get }
  /// The element that an object is, or that projects it. Values have none: it stops the program.
  static func _instance(_ object: ObjectBase) -> Self
}
