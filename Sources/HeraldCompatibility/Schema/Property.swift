import Herald

/// A property of a class.
public struct Property: Hashable, Sendable, CustomStringConvertible {
  /// The name in the program.
  public let name: String
  /// The name in the store.
  public let columnName: String
  /// The type of the value, or of each element of a collection.
  public let type: PropertyType
  /// Whether it is a list.
  public let isArray: Bool
  /// Whether it is a set.
  public let isSet: Bool
  /// Whether it is a map.
  public let isMap: Bool
  /// Whether it has an index; a primary key has one.
  public let isIndexed: Bool
  /// Whether nil is a value, or an element of a collection; not of values of any type, nor of lists and sets of objects.
  public let isOptional: Bool
  /// Of links the name of the class of linked objects.
  public let objectClassName: String?
  let isPrimaryKey: Bool

  init(_ definition: ClassDefinition.Property, named name: String) {
    self.name = name
    columnName = definition.name
    type = PropertyType(definition)
    isArray = definition.shape == .list
    isSet = definition.shape == .set
    isMap = definition.shape == .map
    isIndexed = definition.isIndexed || definition.isPrimaryKey
    isPrimaryKey = definition.isPrimaryKey
    let isElement = definition.shape == .list || definition.shape == .set
    isOptional = definition.isOptional && type != .any && !(isElement && type == .object)
    objectClassName = if case .link(let className) = definition.element { className } else { nil }
  }

  /// The name, and what else there is, in braces.
  public var description: String {
    let target = objectClassName.map { ", objectClassName = \($0)" } ?? ""
    return "\(name) { type = \(type)\(target), columnName = \(columnName), indexed = \(isIndexed), "
      + "isPrimary = \(isPrimaryKey), array = \(isArray), set = \(isSet), dictionary = \(isMap), "
      + "optional = \(isOptional) }"
  }
}

/// The type of a property, or of each element of a collection.
public enum PropertyType: Int, Sendable {
  case int, bool, float, double, string, data, date, any, object, linkingObjects, objectId
  case decimal128
  // swift-format-ignore: AlwaysUseLowerCamelCase
  case UUID

  init(_ definition: ClassDefinition.Property) {
    self =
      switch definition.element {
      case .int: .int
      case .bool: .bool
      case .float: .float
      case .double: .double
      case .string: .string
      case .data: .data
      case .date: .date
      case .any: .any
      case .objectID: .objectId
      case .decimal: .decimal128
      case .uuid: .UUID
      case .link: if case .backlinks = definition.shape { .linkingObjects } else { .object }
      }
  }
}
