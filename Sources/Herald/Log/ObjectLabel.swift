public import HeraldModel

/// The name of an object for people: its class, and its primary key or, where the class has none, its
/// number.
public struct ObjectLabel: Hashable, Sendable {
  /// The name of the class; empty if it was dropped.
  public var className: String
  /// The primary key, or the object number where the class has none.
  public var key: Value

  /// A label of its parts.
  public init(className: String, key: Value) {
    self.className = className
    self.key = key
  }
}
