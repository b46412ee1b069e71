extension ValueType where Link == String {
  /// The type as written in a class declaration: `int`, `Dog`.
  public var name: String {
    switch self {
    case .bool: TypeKeyword.bool.rawValue
    case .int: TypeKeyword.int.rawValue
    case .float: TypeKeyword.float.rawValue
    case .double: TypeKeyword.double.rawValue
    case .string: TypeKeyword.string.rawValue
    case .data: TypeKeyword.data.rawValue
    case .date: TypeKeyword.date.rawValue
    case .decimal: TypeKeyword.decimal.rawValue
    case .uuid: TypeKeyword.uuid.rawValue
    case .objectID: TypeKeyword.objectID.rawValue
    case .any: TypeKeyword.any.rawValue
    case .link(let className): className
    }
  }

  /// Returns a property's type as written in a class declaration: `int?`, `list<Dog>`,
  /// `backlinks<Dog.owner>`.
  public func name(in shape: PropertyShape, isOptional: Bool) -> String {
    let isMarked = isOptional && !isLink && self != .any
    let optional = isMarked ? name + "?" : name
    switch shape {
    case .single: return optional
    case .list: return "list<\(optional)>"
    case .set: return "set<\(optional)>"
    case .map: return "map<\(optional)>"
    case .backlinks(let property): return "backlinks<\(name).\(property)>"
    }
  }
}

extension ClassDefinition.Property {
  /// The type as written in a class declaration.
  public var typeName: String { element.name(in: shape, isOptional: isOptional) }
}

extension Schema {
  /// Returns the type as written in a class declaration: `int?`, `list<Dog>`, `backlinks<Dog.owner>`.
  package func name(of type: PropertyType) -> String {
    named(type.element).name(in: type.shape, isOptional: type.isOptional)
  }

  package func name(of element: ElementType) -> String { named(element).name }

  private func named(_ element: ElementType) -> ValueType<String> {
    element.naming { classSchema($0)?.name ?? "object" }
  }

  /// Returns the declaration of a class.
  public func definition(of classSchema: ClassSchema) -> ClassDefinition {
    ClassDefinition(
      name: classSchema.name, isEmbedded: classSchema.isEmbedded,
      properties: classSchema.properties.map { property in
        ClassDefinition.Property(
          name: property.name, element: named(property.type.element), shape: property.type.shape,
          isOptional: property.type.isOptional, isPrimaryKey: property.isPrimaryKey,
          isIndexed: property.isIndexed, defaultValue: property.defaultContent,
          isGenerated: property.isGenerated)
      }, retention: classSchema.retention)
  }
}

extension PropertySchema {
  /// The default value in the form in which a new object receives it.
  public var defaultContent: PropertyContent? {
    defaultValue.map { value in
      switch (type.shape, value) {
      case (.list, .list(let values)), (.set, .list(let values)): .list(values)
      case (.map, .map(let entries)): .map(entries)
      case (_, _): .value(value)
      }
    }
  }
}
