import Herald
import TestSupport

/// A random schema: what the twin knows of the classes, and what the library is told.
struct TwinSchema {
  struct Property {
    var name: String
    var element: ClassDefinition.Property.Element
    var isList = false
    var isOptional = false
    var isPrimaryKey = false
    var isIndexed = false
    /// The place in `classes` of the class that a link leads to.
    var target: Int?
  }

  struct Class {
    var name: String
    var isEmbedded = false
    var properties: [Property]

    var primaryKey: Int? { properties.firstIndex(where: \.isPrimaryKey) }
    var links: [Int] { properties.indices.filter { properties[$0].target != nil } }
    var lists: [Int] { properties.indices.filter { properties[$0].isList } }
    var singleLinks: [Int] { links.filter { !properties[$0].isList } }
    /// Properties of one plain value.
    var plain: [Int] {
      properties.indices.filter { properties[$0].target == nil && !properties[$0].isList }
    }
  }

  var classes: [Class]
  /// The library's numbers of the classes, in the order of `classes`, once they are declared.
  var ids: [ClassID] = []

  func place(of id: ClassID) -> Int? { ids.firstIndex(of: id) }

  /// Whether what a property holds are embedded objects: its own parts, gone when it lets go of them.
  func holdsParts(_ property: Property) -> Bool {
    property.target.map { classes[$0].isEmbedded } ?? false
  }

  /// The places of the classes whose objects stand alone.
  var independent: [Int] { classes.indices.filter { !classes[$0].isEmbedded } }
}

extension TwinSchema {
  /// One to three classes that link to each other and to themselves, often with an embedded one.
  static func random(_ random: inout SplitMix64) -> TwinSchema {
    let names = Array(["Ant", "Bee", "Cat"].prefix(1 + random.below(3)))
    var classes: [Class] = []
    for name in names { classes.append(Class(name: name, properties: [])) }
    for place in classes.indices {
      var properties = keyProperty(&random)
      properties += plainProperties(&random)
      properties += linkProperties(names, &random)
      classes[place].properties = properties
    }
    if random.chance(60) { addEmbedded(to: &classes, &random) }
    return TwinSchema(classes: classes)
  }

  /// A class of parts, which may have a part and link to others; some classes hold one, or a list.
  private static func addEmbedded(to classes: inout [Class], _ random: inout SplitMix64) {
    let names = classes.map(\.name)
    let place = classes.count
    func holder(_ name: String, isList: Bool) -> Property {
      Property(
        name: name, element: .link("Eye"), isList: isList, isOptional: !isList, target: place)
    }
    for owner in classes.indices {
      if owner == 0 || random.chance(50) {
        classes[owner].properties.append(holder("eye", isList: false))
      }
      if random.chance(60) { classes[owner].properties.append(holder("eyes", isList: true)) }
    }
    var properties = plainProperties(&random) + linkProperties(names, &random)
    if random.chance(40) { properties.append(holder("lens", isList: false)) }
    classes.append(Class(name: "Eye", isEmbedded: true, properties: properties))
  }

  private static func keyProperty(_ random: inout SplitMix64) -> [Property] {
    guard random.chance(50) else { return [] }
    return [Property(name: "id", element: random.chance(70) ? .int : .string, isPrimaryKey: true)]
  }

  private static func plainProperties(_ random: inout SplitMix64) -> [Property] {
    let all: [Property] = [
      Property(name: "age", element: .int),
      Property(name: "size", element: .int, isOptional: true),
      Property(name: "name", element: .string),
      Property(name: "nick", element: .string, isOptional: true),
      Property(name: "live", element: .bool),
      Property(name: "mood", element: .bool, isOptional: true),
      Property(name: "mass", element: .double),
      Property(name: "part", element: .double, isOptional: true),
      Property(name: "born", element: .date),
      Property(name: "died", element: .date, isOptional: true),
    ]
    var chosen = [all[random.below(3)]]
    for property in all where !chosen.contains(where: { $0.name == property.name }) {
      if random.chance(35) { chosen.append(property) }
    }
    for place in chosen.indices
    where chosen[place].element == .int
      || chosen[place].element == .string
    {
      chosen[place].isIndexed = random.chance(25)
    }
    return chosen
  }

  private static func linkProperties(
    _ names: [String], _ random: inout SplitMix64
  ) -> [Property] {
    var chosen: [Property] = []
    for name in ["next", "owner"].prefix(random.below(3)) {
      let target = random.below(names.count)
      chosen.append(
        Property(name: name, element: .link(names[target]), isOptional: true, target: target))
    }
    for name in ["kids", "pals"].prefix(random.below(3)) {
      let target = random.below(names.count)
      chosen.append(
        Property(name: name, element: .link(names[target]), isList: true, target: target))
    }
    if random.chance(50) {
      chosen.append(
        Property(name: "nums", element: .int, isList: true, isOptional: random.chance(30)))
    }
    if random.chance(30) { chosen.append(Property(name: "tags", element: .string, isList: true)) }
    return chosen
  }

  /// What the library is told.
  var definitions: [ClassDefinition] {
    classes.map { type in
      ClassDefinition(
        name: type.name, isEmbedded: type.isEmbedded,
        properties: type.properties.map {
          ClassDefinition.Property(
            name: $0.name, element: $0.element, shape: $0.isList ? .list : .single,
            isOptional: $0.isOptional, isPrimaryKey: $0.isPrimaryKey, isIndexed: $0.isIndexed)
        })
    }
  }
}

extension TwinSchema: CustomStringConvertible {
  /// The schema in the command language.
  var description: String {
    classes.map { type in
      let properties = type.properties.map { property in
        var text = "\(property.element)"
        if let target = property.target { text = classes[target].name }
        if property.isOptional && property.target == nil { text += "?" }
        if property.isList { text = "list<\(text)>" }
        if property.isPrimaryKey { text += " primary" }
        if property.isIndexed { text += " indexed" }
        return "\(property.name): \(text)"
      }
      let word = type.isEmbedded ? "embedded class" : "class"
      return "\(word) \(type.name) { \(properties.joined(separator: "; ")) }"
    }.joined(separator: "\n")
  }
}

extension TwinSchema.Property {
  /// A value for the property (an element, for a list), from few, so that equal ones meet often;
  /// never a link.
  func randomValue(_ random: inout SplitMix64) -> Value {
    if isOptional && random.chance(25) { return .null }
    switch element {
    case .bool: return .bool(random.chance(50))
    case .int:
      return .int(random.chance(8) ? random.pick([-1, 70_000, .min, .max]) : random.below(7))
    case .float: return .float(Float(random.below(5)) / 2)
    case .double: return .double(Double(random.below(7)) / 2 - 1)
    case .string: return .string(random.pick(["", "a", "b", "ab", "B", "é", "zé", "A"]))
    case .data: return .data([UInt8(random.below(3))])
    case .date:
      return .date(
        Timestamp(seconds: random.below(4), nanoseconds: random.chance(30) ? 500 : 0))
    case .decimal, .uuid, .objectID, .any, .link: return .null
    }
  }
}
