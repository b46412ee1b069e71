package import HeraldModel

/// A change of a class.
package enum ModelAlteration: Codable {
  case add(ModelDeclaration)
  case drop(String)
  case rename(String, to: String)
  case change(ModelDeclaration)

  package var alteration: ClassAlteration {
    switch self {
    case .add(let property): .add(property.definition)
    case .drop(let name): .drop(name)
    case .rename(let name, let newName): .rename(name, to: newName)
    case .change(let property): .change(property.definition)
    }
  }
}

/// The declaration of a property, of the few types that properties are changed to.
package struct ModelDeclaration: Codable {
  private static let elements: [ClassDefinition.Property.Element] = [
    .int, .double, .string, .bool, .any,
  ]
  private static let shapes: [PropertyShape] = [.single, .list, .set, .map]

  private var name: String
  /// An index of `elements`, or the name of a class.
  private var element: Int?
  private var link: String?
  private var shape: Int?
  private var isOptional: Bool
  private var isIndexed: Bool
  private var initial: ModelGiven?

  init(_ definition: ClassDefinition.Property, initial: ModelGiven.Content?) {
    name = definition.name
    element = Self.elements.firstIndex(of: definition.element)
    if case .link(let target) = definition.element { link = target }
    shape = Self.shapes.firstIndex(of: definition.shape)
    (isOptional, isIndexed) = (definition.isOptional, definition.isIndexed)
    self.initial = initial.map { ModelGiven(name, $0) }
  }

  package var definition: ClassDefinition.Property {
    ClassDefinition.Property(
      name: name, element: link.map { .link($0) } ?? Self.elements[element ?? 0],
      shape: Self.shapes[shape ?? 0], isOptional: isOptional, isIndexed: isIndexed,
      defaultValue: initial?.named.content)
  }
}
