/// The declaration of a class. A link names its class, which may be declared later.
public struct ClassDefinition: Hashable, Sendable {
  public struct Property: Hashable, Sendable {
    /// A link names its target class; backlinks name the class that links here.
    public typealias Element = ValueType<String>

    public var name: String
    public var element: Element
    public var shape: PropertyShape
    public var isOptional: Bool
    public var isPrimaryKey: Bool
    public var isIndexed: Bool
    public var defaultValue: PropertyContent?
    /// Whether a new object without a value gets a new uuid or object id.
    public var isGenerated: Bool

    public init(
      name: String, element: Element, shape: PropertyShape = .single, isOptional: Bool = false,
      isPrimaryKey: Bool = false, isIndexed: Bool = false, defaultValue: PropertyContent? = nil,
      isGenerated: Bool = false
    ) {
      self.name = name
      self.element = element
      self.shape = shape
      self.isOptional = isOptional
      self.isPrimaryKey = isPrimaryKey
      self.isIndexed = isIndexed
      self.defaultValue = defaultValue
      self.isGenerated = isGenerated
    }
  }

  public var name: String
  /// Whether each object of the class is owned by exactly one object and deleted with it.
  public var isEmbedded: Bool
  public var properties: [Property]

  public init(name: String, isEmbedded: Bool = false, properties: [Property]) {
    self.name = name
    self.isEmbedded = isEmbedded
    self.properties = properties
  }
}
