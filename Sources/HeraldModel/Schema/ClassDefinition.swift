/// A class as it is declared: a link names its class, which may be declared later.
public struct ClassDefinition: Hashable, Sendable {
  public struct Property: Hashable, Sendable {
    /// A link names its class; that of backlinks, the class that links here.
    public typealias Element = ValueType<String>

    public var name: String
    public var element: Element
    public var shape: PropertyShape
    public var isOptional: Bool
    public var isPrimaryKey: Bool
    public var isIndexed: Bool
    public var defaultValue: PropertyContent?
    /// Whether each new object gets a new uuid or object id where it is given none.
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
  /// Objects that live and die with the one object that holds them.
  public var isEmbedded: Bool
  public var properties: [Property]

  public init(name: String, isEmbedded: Bool = false, properties: [Property]) {
    self.name = name
    self.isEmbedded = isEmbedded
    self.properties = properties
  }
}
