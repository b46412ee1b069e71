public import HeraldModel

/// A field of a projection: its name, and the path from the object that it reads.
public struct ProjectionField: Hashable, Sendable {
  /// The name of the field.
  public var name: String
  /// The path that it reads.
  public var path: PropertyPath

  /// A field by its name and its path.
  public init(name: String, path: PropertyPath) {
    self.name = name
    self.path = path
  }
}
