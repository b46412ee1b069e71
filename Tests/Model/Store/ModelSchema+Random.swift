import HeraldModel
import HeraldObservation
import TestSupport

extension ModelSchema {
  enum Kind {
    case any
    /// Neither values of any type nor embedded classes.
    case plain
    /// Without values of any type.
    case unmixed
    /// Always with values of any type.
    case mixed
    /// Two classes of few types that can be changed to others.
    case altered
  }

  /// One to three classes that link to each other and to themselves in every way there is, often with
  /// an embedded one.
  static func random(_ random: inout SplitMix64, _ kind: Kind = .any) -> ModelSchema {
    if kind == .altered { return altered(&random) }
    let names = Array(["Ant", "Bee", "Cat"].prefix(1 + random.below(3)))
    let isMixed = random.chance(30) && kind != .plain && kind != .unmixed || kind == .mixed
    var classes = names.map { Class(name: $0, properties: []) }
    for place in classes.indices {
      classes[place].properties =
        keyProperty(&random) + plainProperties(&random) + linkProperties(names, &random)
        + valueCollections(&random) + (isMixed ? mixedProperties(&random) : [])
    }
    if random.chance(60) && kind != .plain { addEmbedded(to: &classes, &random) }
    addBacklinks(to: &classes, &random)
    var schema = ModelSchema(classes: classes)
    schema.hasQueriesOfRows = kind != .plain
    schema.addProjections(&random)
    return schema
  }

  /// A class of parts, which may have parts and link to others; some classes hold one, or several.
  private static func addEmbedded(to classes: inout [Class], _ random: inout SplitMix64) {
    let names = classes.map(\.name)
    let place = classes.count
    func holder(_ name: String, _ shape: Shape) -> Property {
      Property(
        name: name, element: .link("Eye"), shape: shape, isOptional: shape == .single,
        target: place)
    }
    for owner in classes.indices {
      if owner == 0 || random.chance(50) {
        classes[owner].properties.append(holder("eye", .single))
      }
      if random.chance(60) { classes[owner].properties.append(holder("eyes", .list)) }
      if random.chance(40) { classes[owner].properties.append(holder("lids", .map)) }
    }
    var properties = plainProperties(&random) + linkProperties(names, &random)
    if random.chance(40) { properties.append(holder("lens", .single)) }
    if random.chance(30) { properties.append(holder("rods", .list)) }
    classes.append(Class(name: "Eye", isEmbedded: true, properties: properties))
  }

  private static func altered(_ random: inout SplitMix64) -> ModelSchema {
    let key = Property(name: "id", element: .int, isPrimaryKey: true)
    var schema = ModelSchema(
      classes: ["Ant", "Bee"].map { Class(name: $0, properties: [key]) })
    for type in schema.classes.indices {
      for number in 0..<random.below(4) {
        schema.classes[type].properties.append(schema.randomProperty("p\(number)", &random))
      }
    }
    return schema
  }

  /// A property of a class that is altered.
  func randomProperty(_ name: String, _ random: inout SplitMix64) -> Property {
    let samples: [(ClassDefinition.Property.Element, [Value])] = [
      (.int, random.pick([[.int(0), .int(1)], [.int(-1), .int(0), .int(1)]])),
      (.double, random.pick([[.double(1), .double(2)], [.double(0.5), .double(-1)]])),
      (
        .string,
        random.pick(
          [["0", "1"], ["1", "2.5"], ["true"], ["x", ""]].map { $0.map(Value.string) })
      ),
      (.bool, [.bool(true), .bool(false)]),
    ]
    var property = Property(
      name: name, element: .any, shape: random.pick([.single, .single, .list, .set, .map]))
    switch random.below(7) {
    case 0..<4:
      let (element, values) = random.pick(samples)
      (property.element, property.samples) = (element, values)
      property.isOptional = random.chance(60)
      property.isIndexed = property.shape == .single && element != .double && random.chance(40)
    case 4: break
    case _:
      let target = random.pick(independent)
      (property.element, property.target) = (.link(classes[target].name), target)
    }
    if property.target != nil || property.element == .any { property.isOptional = true }
    return property
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
      Property(name: "weight", element: .float),
      Property(name: "cost", element: .decimal, isOptional: true),
      Property(name: "chip", element: .uuid, isOptional: true),
      Property(name: "code", element: .objectID),
      Property(name: "scan", element: .data, isOptional: true),
    ]
    var chosen = [all[random.below(3)]]
    for property in all where !chosen.contains(where: { $0.name == property.name }) {
      if random.chance(25) { chosen.append(property) }
    }
    for place in chosen.indices {
      switch chosen[place].element {
      case .int, .string, .bool, .date, .uuid, .objectID:
        chosen[place].isIndexed = random.chance(25)
      case .float, .double, .decimal, .data, .any, .link: break
      }
    }
    return chosen
  }

  private static func linkProperties(
    _ names: [String], _ random: inout SplitMix64
  ) -> [Property] {
    let all: [(names: [String], shape: Shape)] = [
      (["next", "owner"], .single), (["kids", "pals"], .list), (["mates", "foes"], .set),
      (["rooms", "doors"], .map),
    ]
    return all.flatMap { shaped in
      let isCommon = shaped.shape == .single || shaped.shape == .list
      let count = random.below(isCommon ? 3 : 2)
      return shaped.names.prefix(count).map { name in
        let target = random.below(names.count)
        return Property(
          name: name, element: .link(names[target]), shape: shaped.shape,
          isOptional: shaped.shape == .single, target: target)
      }
    }
  }

  private static func valueCollections(_ random: inout SplitMix64) -> [Property] {
    let elements: [ClassDefinition.Property.Element] = [
      .int, .string, .double, .date, .bool, .float, .data,
    ]
    var chosen: [Property] = []
    if random.chance(40) { chosen.append(Property(name: "nums", element: .int, shape: .list)) }
    let all = [("bits", Shape.list, 25), ("tags", .set, 35), ("marks", .map, 35)]
    for (name, shape, percent) in all where random.chance(percent) {
      chosen.append(
        Property(
          name: name, element: random.pick(elements), shape: shape,
          isOptional: shape != .set && random.chance(30)))
    }
    return chosen
  }

  /// Properties of any type: values, links, and nested lists and maps of them.
  private static func mixedProperties(_ random: inout SplitMix64) -> [Property] {
    let all = [("extra", Shape.single), ("extras", .list), ("notes", .map), ("odds", .set)]
    return all.compactMap { name, shape in
      random.chance(50) ? Property(name: name, element: .any, shape: shape) : nil
    }
  }

  private static func addBacklinks(to classes: inout [Class], _ random: inout SplitMix64) {
    for (origin, type) in classes.enumerated() where !type.isEmbedded {
      for (place, property) in type.properties.enumerated() {
        guard let target = property.target, property.shape != .backlinks,
          !classes[target].isEmbedded, random.chance(35)
        else { continue }
        classes[target].properties.append(
          Property(
            name: "\(property.name)Of\(type.name)", element: .link(type.name), shape: .backlinks,
            target: origin, origin: place))
      }
    }
  }

  private mutating func addProjections(_ random: inout SplitMix64) {
    for type in independent where random.chance(70) {
      let fields = (0...random.below(3)).map { index in
        (name: "f\(index)", path: randomProjectedPath(type, &random))
      }
      projections.append(
        Projection(name: "\(classes[type].name)Card", type: type, fields: fields))
    }
  }

  /// A path over links of every shape, also backwards.
  private func randomProjectedPath(_ type: Int, _ random: inout SplitMix64) -> [Int] {
    var path: [Int] = []
    var place = type
    for _ in 0..<3 {
      let step = random.below(classes[place].properties.count)
      path.append(step)
      guard let target = classes[place].properties[step].target, random.chance(70) else { break }
      place = target
    }
    return path
  }
}
