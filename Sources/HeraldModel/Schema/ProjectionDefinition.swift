/// A projection: properties of a class, and paths from it, under their own names.
public struct ProjectionDefinition: Hashable, Sendable {
  /// A field: a name for a path.
  public struct Field: Hashable, Sendable {
    /// The name of the field.
    public var name: String
    /// Dotted property names, starting at the class.
    public var path: String

    /// A field by its name and its path.
    public init(name: String, path: String) {
      self.name = name
      self.path = path
    }
  }

  /// The name of the projection.
  public var name: String
  /// The class that is projected.
  public var className: String
  /// The fields, in order.
  public var fields: [Field]

  /// A projection by its name, its class and its fields.
  public init(name: String, className: String, fields: [(name: String, path: String)]) {
    self.name = name
    self.className = className
    self.fields = fields.map { Field(name: $0.name, path: $0.path) }
  }

  /// Returns the path from the class for a key path that begins with a field. Errors: `unknownField`.
  package func path(_ keyPath: String) throws(HeraldError) -> String {
    let parts = keyPath.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let name = parts.first.map(String.init) ?? keyPath
    guard let field = fields.first(where: { $0.name == name }) else {
      throw .unknownField(
        name, projection: self.name, nearest: nearestName(to: name, in: fields.map(\.name)))
    }
    return parts.count > 1 ? "\(field.path).\(parts[1])" : field.path
  }
}

extension Schema {
  /// Returns the projection of a name; nil where there is none.
  public func projection(named name: String) -> ProjectionDefinition? {
    projections.first { $0.name == name }
  }

  /// Adds a projection, or replaces the one with its name.
  public mutating func put(_ projection: ProjectionDefinition) {
    if let index = projections.firstIndex(where: { $0.name == projection.name }) {
      projections[index] = projection
    } else {
      projections.append(projection)
    }
  }

  /// Removes a projection.
  package mutating func remove(projection name: String) {
    projections.removeAll { $0.name == name }
  }
}
