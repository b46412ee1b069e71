/// A chain of properties from a class: `owner.address.city`.
public struct PropertyPath: Hashable, Sendable {
  /// One step: the property that is read from an object of `classID`.
  public struct Step: Hashable, Sendable {
    /// What a step leads to.
    public enum Kind: Hashable, Sendable {
      /// A property of the class: a value, a link or a list.
      case property(PropertyID)
      /// The objects of `origin` whose `property` links to the object.
      case backlinks(origin: ClassID, property: PropertyID)
    }
    /// A position within the value of a property.
    public enum Position: Hashable, Sendable {
      /// The value of a key of a map property.
      case entry(String)
      /// In an `any`: the value of a key of a map.
      case key(String)
      /// In an `any`: an element of a list.
      case index(Int)
      /// In an `any`: the last element of a list.
      case last
    }
    /// The class whose objects the step starts from.
    public let classID: ClassID
    /// What the step leads to.
    public let kind: Kind
    /// The positions that lead to a nested value; empty if the step reads the whole value.
    public let positions: [Position]
    /// A step from a class.
    public init(_ classID: ClassID, _ kind: Kind, positions: [Position] = []) {
      self.classID = classID
      self.kind = kind
      self.positions = positions
    }
  }

  /// The class that the path begins at.
  public let root: ClassID
  /// The steps, in order.
  public let steps: [Step]

  /// A path from a class.
  public init(root: ClassID, steps: [Step]) {
    self.root = root
    self.steps = steps
  }
}

extension PropertyPath {
  /// The property of the root itself that the path leads to, as a whole; nil for any other path.
  package var propertyOfRoot: PropertyID? {
    guard steps.count == 1, steps[0].positions.isEmpty, case .property(let property) = steps[0].kind
    else { return nil }
    return property
  }

  /// The path with whole properties: what is observed to observe nested values.
  package var withWholeProperties: PropertyPath {
    guard steps.contains(where: { !$0.positions.isEmpty }) else { return self }
    return PropertyPath(root: root, steps: steps.map { Step($0.classID, $0.kind) })
  }
}

extension Schema {
  /// Returns the class and the property whose links a backlinks property inverts; nil until both are
  /// declared.
  package func origin(of type: PropertyType) -> (classID: ClassID, property: PropertySchema)? {
    guard case .backlinks(let name) = type.shape, let classID = type.linkedClass,
      let property = classSchema(classID)?.property(named: name)
    else { return nil }
    return (classID, property)
  }
}
