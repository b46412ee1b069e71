import HeraldModel
import HeraldObservation

/// A random schema: what the twin knows of the classes, and what is declared to the library.
struct ModelSchema {
  enum Shape {
    case single, list, set, map
    /// The objects that link here through the origin.
    case backlinks
    /// A property that was dropped.
    case dropped
  }

  struct Property {
    var name: String
    var element: ClassDefinition.Property.Element
    var shape = Shape.single
    var isOptional = false
    var isPrimaryKey = false
    var isIndexed = false
    /// How many different values there are, where many objects have few in common.
    var range: Int?
    /// The index in `classes` of the class that a link leads to; of backlinks, that they come from.
    var target: Int?
    /// The index of the property there that backlinks follow.
    var origin: Int?
    /// What a new object has that was given nothing, where that is not nil or empty.
    var initial: ModelGiven.Content?
    /// The few values to choose from, where not all of the type.
    var samples: [Value]?

    var isCollection: Bool { shape != .single && shape != .dropped }
    /// Whether objects are given content for it.
    var isGiven: Bool { shape != .backlinks && shape != .dropped }
    /// Whether it is what the object holds: neither its key nor what others hold.
    var isOpen: Bool { !isPrimaryKey && isGiven }
    /// Whether objects may be in it.
    var mayLink: Bool { target != nil || element == .any }
  }

  struct Class {
    var name: String
    var isEmbedded = false
    var isDropped = false
    var properties: [Property]

    var primaryKey: Int? { properties.firstIndex(where: \.isPrimaryKey) }
    /// Properties that lead to objects of one class.
    var links: [Int] { properties.indices.filter { properties[$0].target != nil } }
    var collections: [Int] { properties.indices.filter { properties[$0].isCollection } }
    /// Collections that can be changed.
    var ownCollections: [Int] { collections.filter { properties[$0].shape != .backlinks } }
    var singleLinks: [Int] { links.filter { !properties[$0].isCollection } }
    /// Properties of one plain value.
    var plain: [Int] {
      properties.indices.filter { !properties[$0].mayLink && properties[$0].shape == .single }
    }
  }

  struct Projection {
    var name: String
    var type: Int
    var fields: [(name: String, path: [Int])]
  }

  var classes: [Class]
  var projections: [Projection] = []
  /// The library's numbers of the classes, in the order of `classes`, once they are declared.
  var ids: [ClassID] = []
  /// Whether queries may be of the rows of others.
  var hasQueriesOfRows = true
  /// What names in queries stand for.
  var variables: [(name: String, value: Value)] = []
  /// The projection whose names the texts of queries have, if they are of one.
  private(set) var lens: Projection?

  func place(of id: ClassID) -> Int? { ids.firstIndex(of: id) }

  func isKey(_ property: Int, of id: ObjectID) -> Bool {
    place(of: id.classID).map { classes[$0].properties[property].isPrimaryKey } ?? false
  }

  /// Whether what a property holds are embedded objects: its own parts, gone when it lets go of them.
  func holdsEmbedded(_ property: Property) -> Bool {
    property.shape != .backlinks && property.target.map { classes[$0].isEmbedded } ?? false
  }

  /// The indices of the classes whose objects are not embedded.
  var independent: [Int] { declaredClasses.filter { !classes[$0].isEmbedded } }

  /// The indices of the classes that were not dropped.
  var declaredClasses: [Int] { classes.indices.filter { !classes[$0].isDropped } }

  func property(at path: [Int], from type: Int) -> Property {
    var place = type
    for step in path.dropLast() { place = classes[place].properties[step].target ?? place }
    return classes[place].properties[path[path.count - 1]]
  }

  /// Whether every step of a path leads to one value.
  func isSingle(_ path: [Int], from type: Int) -> Bool {
    path.indices.allSatisfy { !property(at: Array(path[...$0]), from: type).isCollection }
  }
}

extension ModelSchema {
  /// The declarations for the library.
  var definitions: [ClassDefinition] {
    classes.map { type in
      ClassDefinition(
        name: type.name, isEmbedded: type.isEmbedded,
        properties: type.properties.map(definition))
    }
  }

  func definition(_ property: Property) -> ClassDefinition.Property {
    ClassDefinition.Property(
      name: property.name, element: property.element, shape: shape(of: property),
      isOptional: property.isOptional, isPrimaryKey: property.isPrimaryKey,
      isIndexed: property.isIndexed,
      defaultValue: property.initial.map { ModelGiven(property.name, $0).named.content })
  }

  /// The schema as it is bound where there is no library: classes and properties are numbered from 1,
  /// in their order.
  var declared: Schema {
    let names = classes.map(\.name)
    func id(_ name: String) -> ClassID {
      ClassID(UInt32(1 + (names.firstIndex(of: name) ?? names.count)))
    }
    return Schema(
      classes: definitions.map { definition in
        ClassSchema(
          id: id(definition.name), name: definition.name, isEmbedded: definition.isEmbedded,
          properties: definition.properties.enumerated().map { place, property in
            PropertySchema(
              id: PropertyID(UInt32(place + 1)), name: property.name,
              type: PropertyType(
                property.element.naming(id), shape: property.shape,
                isOptional: property.isOptional),
              isPrimaryKey: property.isPrimaryKey, isIndexed: property.isIndexed)
          })
      })
  }

  private func shape(of property: Property) -> PropertyShape {
    switch property.shape {
    case .single, .dropped: return .single
    case .list: return .list
    case .set: return .set
    case .map: return .map
    case .backlinks:
      guard let type = property.target, let origin = property.origin else { return .single }
      return .backlinks(classes[type].properties[origin].name)
    }
  }

  var projectionDefinitions: [ProjectionDefinition] {
    projections.map { projection in
      ProjectionDefinition(
        name: projection.name, className: classes[projection.type].name,
        fields: projection.fields.map { ($0.name, name($0.path, from: projection.type)) })
    }
  }

  /// The same with queries in the names of a projection.
  func seen(through projection: Projection) -> ModelSchema {
    var seen = self
    seen.lens = projection
    return seen
  }

  func name(_ path: [Int], from type: Int) -> String {
    names(path, from: type).joined(separator: ".")
  }

  func names(_ path: [Int], from type: Int) -> [String] {
    path.indices.map { property(at: Array(path[...$0]), from: type).name }
  }
}

extension ModelSchema: CustomStringConvertible {
  /// The schema in the command language.
  var description: String {
    let declarations = declaredClasses.map { type in
      let word = classes[type].isEmbedded ? "embedded class" : "class"
      let properties = classes[type].properties.filter { $0.shape != .dropped }.map(text)
      return "\(word) \(classes[type].name) { \(properties.joined(separator: "; ")) }"
    }
    let projections = projectionDefinitions.map { projection in
      let fields = projection.fields.map { "\($0.name): \($0.path)" }.joined(separator: "; ")
      return "projection \(projection.name) of \(projection.className) { \(fields) }"
    }
    return (declarations + projections).joined(separator: "\n")
  }

  private func text(_ property: Property) -> String {
    var text = "\(property.element)".lowercased()
    if let target = property.target { text = classes[target].name }
    if property.isOptional && !property.mayLink { text += "?" }
    switch property.shape {
    case .single, .dropped: break
    case .list: text = "list<\(text)>"
    case .set: text = "set<\(text)>"
    case .map: text = "map<\(text)>"
    case .backlinks:
      let origin = property.origin.flatMap { origin in
        property.target.map { classes[$0].properties[origin].name }
      }
      text = "backlinks<\(text).\(origin ?? "")>"
    }
    if property.isPrimaryKey { text += " primary" }
    if property.isIndexed { text += " indexed" }
    return "\(property.name): \(text)"
  }
}
