import FoundationEssentials
import HeraldModel

/// A class of a store at one version of its schema, for a program that knows it by its name alone.
struct NamedClass {
  let classSchema: ClassSchema
  let schema: Schema
  /// The names that classes of the program have for their properties, by the names of the class and of the property in
  /// the store; of classes that have others alone.
  let labels: [String: [String: String]]

  init(
    _ classSchema: ClassSchema, _ schema: Schema, labels: [String: [String: String]]
  ) {
    self.classSchema = classSchema
    self.schema = schema
    self.labels = labels
  }
}

extension ObjectTable {
  /// The properties that a class has in a store. A property keeps its slot when the class gets others.
  convenience init(named: NamedClass) {
    let definition = named.schema.definition(of: named.classSchema)
    self.init(
      DynamicObject.self,
      zip(named.classSchema.properties, definition.properties).map { property, definition in
        let linked = property.type.target.flatMap { named.schema.classSchema($0) }
        return Property(
          definition, atSlot: Int(property.id.rawValue), hasParts: linked?.isEmbedded ?? false,
          label: named.labels[named.classSchema.name]?[property.name])
      },
      named: named)
  }

  /// The class that the values of a property are links to; nil for other values.
  package func linkedTable(_ property: Property) -> ObjectTable? {
    guard property.originProperty == nil else { return nil }
    guard let named else { return property.objectType.flatMap { try? ObjectTable.of($0) } }
    guard case .link(let className) = property.definition.element,
      let classSchema = named.schema.classSchema(named: className)
    else { return nil }
    return ObjectTable(named: NamedClass(classSchema, named.schema, labels: named.labels))
  }

  /// Returns what a property takes in the place of what a program gives it: in a class by its name, objects for the
  /// dictionaries and arrays of their values, and for those of the program's classes. Errors: `unknownProperty`,
  /// `wrongType`, `ValueError`.
  func linked(_ value: Any, _ property: Property) throws -> Any {
    guard named != nil, !(value is DynamicObject), PropertyChange.unwrapped(value) != nil,
      let target = linkedTable(property)
    else { return value }
    return try property.mapValues(of: value) { try target.linked($0) }
  }

  private func linked(_ value: Any) throws -> Any {
    switch value {
    case let object as ObjectBase:
      if object is DynamicObject { return object }
      guard let binding = object._binding else {
        guard object.nameOfClass == className else { return object }
        return try new(object.classTable().values(of: object))
      }
      return try binding.core.binding(ofClass: binding.classID).instance(object._number)
    case let values as [String: Any]: return try new(values)
    case let values as [Any]: return try new(named(values))
    case _: return value
    }
  }

  private func new(_ values: [String: Any]) throws -> DynamicObject {
    let object = DynamicObject(of: self)
    try setGiven(values, of: object)
    return object
  }
}

extension ObjectTable.Property {
  /// Returns what is given to the property with what a function makes of it, in a collection of each element; what is none
  /// where one is needed stays as it is.
  package func mapValues(of given: Any, _ change: (Any) throws -> Any) rethrows -> Any {
    switch definition.shape {
    case .single: return try change(given)
    case .list, .set, .backlinks:
      guard let elements = given as? any Sequence else { return given }
      return try Self.mapped(elements, change)
    case .map: return try (given as? [String: Any])?.mapValues(change) ?? given
    }
  }

  private static func mapped(
    _ elements: some Sequence, _ change: (Any) throws -> Any
  ) rethrows -> [Any] {
    try elements.map { try change($0) }
  }

  /// A property of a class of a store.
  fileprivate convenience init(
    _ definition: ClassDefinition.Property, atSlot slot: Int, hasParts: Bool, label: String?
  ) {
    let type = Self.type(of: definition)
    var origin: String?
    if case .backlinks(let name) = definition.shape { origin = name }
    var objectType: ObjectBase.Type?
    if case .link = definition.element { objectType = DynamicObject.self }
    self.init(
      definition: definition, type: type, slot: slot, originProperty: origin,
      objectType: objectType,
      local: DynamicObject.NewValue(atSlot: slot, type, initially: Self.initial(of: definition)),
      hasParts: hasParts, label: label)
  }

  /// What an object that is given no value has: the default or, as in a class of the program, nil or no elements. Nil for
  /// a new identifier, and for a value that must be given.
  private static func initial(of property: ClassDefinition.Property) -> PropertyContent? {
    if let value = property.defaultValue { return value }
    switch property.shape {
    case .single: return property.isOptional && !property.isGenerated ? .value(.null) : nil
    case .list, .set: return .list([])
    case .map: return .map(MapEntries())
    case .backlinks: return nil
    }
  }

  /// The type that a class of the program would declare the property with.
  private static func type(of property: ClassDefinition.Property) -> any Persistable.Type {
    switch property.element {
    case .bool: type(of: property, Bool.self)
    case .int: type(of: property, Int.self)
    case .float: type(of: property, Float.self)
    case .double: type(of: property, Double.self)
    case .string: type(of: property, String.self)
    case .data: type(of: property, Data.self)
    case .date: type(of: property, Date.self)
    case .decimal: type(of: property, Decimal128.self)
    case .uuid: type(of: property, UUID.self)
    case .objectID: type(of: property, ObjectId.self)
    case .any: shaped(property.shape, AnyValue.self)
    case .link:
      switch property.shape {
      case .single: DynamicObject?.self
      case .list: List<DynamicObject>.self
      case .set: MutableSet<DynamicObject>.self
      case .map: Map<String, DynamicObject?>.self
      case .backlinks: LinkingObjects<DynamicObject>.self
      }
    }
  }

  private static func type<Element: PersistableValue>(
    of property: ClassDefinition.Property, _ element: Element.Type
  ) -> any Persistable.Type {
    property.isOptional
      ? shaped(property.shape, Element?.self) : shaped(property.shape, element)
  }

  private static func shaped<Element: PersistableValue>(
    _ shape: PropertyShape, _ element: Element.Type
  ) -> any Persistable.Type {
    switch shape {
    case .single: Element.self
    case .list: List<Element>.self
    case .set: MutableSet<Element>.self
    case .map: Map<String, Element>.self
    // Of links alone.
    case .backlinks: LinkingObjects<DynamicObject>.self
    }
  }
}
