/// The declaration of a class. A link names its class, which may be declared later.
public struct ClassDefinition: Hashable, Sendable {
  /// The declaration of a property.
  public struct Property: Hashable, Sendable {
    /// A link names its target class; backlinks name the class that links here.
    public typealias Element = ValueType<String>

    /// The name.
    public var name: String
    /// The type of the value, or of the elements.
    public var element: Element
    /// Whether it is a single value, a list, a set, a map or backlinks.
    public var shape: PropertyShape
    /// Whether the value, or an element, may be nil.
    public var isOptional: Bool
    /// Whether no two objects have the same value.
    public var isPrimaryKey: Bool
    /// Whether it has an index.
    public var isIndexed: Bool
    /// The value of an object that is given none.
    public var defaultValue: PropertyContent?
    /// Whether a new object without a value gets a new uuid or object id.
    public var isGenerated: Bool

    /// Makes the declaration of a property.
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

  /// The name of the class.
  public var name: String
  /// Whether each object of the class is owned by exactly one object and deleted with it.
  public var isEmbedded: Bool
  /// The properties, in order.
  public var properties: [Property]
  /// Which objects are kept; nil for all.
  public var retention: ObjectRetention?

  /// Makes the declaration of a class.
  public init(
    name: String, isEmbedded: Bool = false, properties: [Property],
    retention: ObjectRetention? = nil
  ) {
    self.name = name
    self.isEmbedded = isEmbedded
    self.properties = properties
    self.retention = retention
  }
}
