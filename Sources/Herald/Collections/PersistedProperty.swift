public import HeraldModel

/// The type of a property.
public struct PersistedProperty {
  /// The type of the value, or of each element of a collection.
  public var element: PersistedElement
  /// Whether the property is a single value, or which collection.
  public var shape: PropertyShape

  /// The type of a property.
  public init(_ element: PersistedElement, shape: PropertyShape = .single) {
    self.element = element
    self.shape = shape
  }
}
