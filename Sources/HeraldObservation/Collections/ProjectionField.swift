public import HeraldModel

/// A field of a projection: its name, and the path from the object that it reads.
public struct ProjectionField: Hashable, Sendable {
  public var name: String
  public var path: PropertyPath

  public init(name: String, path: PropertyPath) {
    self.name = name
    self.path = path
  }
}
