public import HeraldModel

/// One name of a projection, and the path from the object that it stands for.
public struct ProjectionField: Hashable, Sendable {
  public var name: String
  public var path: PropertyPath

  public init(name: String, path: PropertyPath) {
    self.name = name
    self.path = path
  }
}
