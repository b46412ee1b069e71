/// A chain of properties from a class: `owner.address.city`.
public struct PropertyPath: Hashable, Sendable {
  /// One step: the property that is read at an object of `classID`.
  public struct Step: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
      /// A property of the class: a value, a link or a list.
      case property(PropertyID)
      /// The objects of `origin` whose `property` links to the object: backwards.
      case backlinks(origin: ClassID, property: PropertyID)
    }
    /// The class whose objects the step starts from.
    public let classID: ClassID
    public let kind: Kind
    public init(_ classID: ClassID, _ kind: Kind) {
      self.classID = classID
      self.kind = kind
    }
  }

  public let root: ClassID
  public let steps: [Step]

  public init(root: ClassID, steps: [Step]) {
    self.root = root
    self.steps = steps
  }
}

extension Schema {
  /// The class and the property that a backlinks property comes from; nil while they are not declared.
  package func origin(of type: PropertyType) -> (classID: ClassID, property: PropertySchema)? {
    guard case .backlinks(let name) = type.shape, let classID = type.linkedClass,
      let property = classSchema(classID)?.property(named: name)
    else { return nil }
    return (classID, property)
  }
}
