public import HeraldModel

/// A change of one property of an object.
public struct DynamicPropertyChange: Hashable, Sendable {
  /// The name of the property.
  public var name: String
  /// False where `old` and `new` are `.null` because only the name is reported: for a collection, and for
  /// an unchanged property where something further along an observed key path changed.
  public var hasValues: Bool
  /// The value before.
  public var old: Value
  /// The value after.
  public var new: Value

  /// A change of a property.
  public init(name: String, hasValues: Bool = true, old: Value = .null, new: Value = .null) {
    self.name = name
    self.hasValues = hasValues
    self.old = old
    self.new = new
  }
}
