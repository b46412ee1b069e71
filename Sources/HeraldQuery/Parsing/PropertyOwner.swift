/// The owner of a named property: a base, and the properties on the path from it.
package struct PropertyOwner {
  package indirect enum Base {
    /// A class, or a projection.
    case className(String)
    /// An object, or the elements of a collection.
    case path(PathSyntax)
    /// An object, directly before a dot.
    case step(PathSyntax)
    /// A class of which a property is named without a value.
    case declared(String)
    /// The target class of links.
    case linking(String)
  }
  package var base: Base
  /// The properties after the base; a collection continues with its elements.
  package var properties: [String] = []
  /// The names that are given already where each is given once.
  package var given: [String] = []

  package init(_ base: Base) { self.base = base }

  package init(origin: QuerySyntax.Origin) {
    switch origin {
    case .className(let name): base = .className(name.text)
    case .path(let path): base = .path(path)
    }
  }

  package func appending(_ name: String) -> PropertyOwner {
    var owner = self
    owner.properties.append(name)
    owner.given = []
    return owner
  }
}
