import HeraldModel
import HeraldObservation
import HeraldQuery
import TestSupport

/// Random schemas, contents, transactions and queries.
struct ModelScenario {
  static let number = PropertyID(1)
  static let text = PropertyID(2)
  static let link = PropertyID(3)
  static let links = PropertyID(4)
  static let values = PropertyID(5)
  static let key = PropertyID(6)
  static let linkSet = PropertyID(7)
  static let valueSet = PropertyID(8)
  static let linkMap = PropertyID(9)
  static let valueMap = PropertyID(10)
  /// Values of any type; only in some scenarios, since everything can reach everything by them.
  static let mixed = PropertyID(11)
  static let mixedList = PropertyID(12)
  static let mixedMap = PropertyID(13)
  static let mixedSet = PropertyID(14)
  /// Embedded objects, in the classes that have them.
  static let part = PropertyID(15)
  static let parts = PropertyID(16)
  static let partMap = PropertyID(17)
  /// Backlinks through `link`, `links` and so on, as far as another class links here.
  static let firstBacklinks = 20

  var random: SplitMix64
  var state: ModelState
  var nextElement = 1
  var nextKey = 1

  /// The class of embedded objects, where the scenario has one.
  private(set) var partClass: ClassID?
  /// The depth of the nested parts that are being made.
  var partDepth = 0
  /// From so many objects on more are deleted than added.
  let most: Int

  /// With `isSmall` there are few objects, so that most changes concern somebody.
  init(seed: UInt64, isSmall: Bool = false) {
    random = SplitMix64(seed: seed)
    var random = random
    let schema = Self.schema(&random)
    self.random = random
    partClass = schema.classes.first { $0.isEmbedded }?.id
    most = isSmall ? 16 : 45
    state = ModelState(schema: schema)
    var filling = ModelTransaction(state, nextElement: nextElement)
    let count = isSmall ? 5 + self.random.below(4) : 20 + self.random.below(20)
    for _ in 0..<count { create(&filling) }
    state = filling.state
    nextElement = filling.elementCount
  }

  // MARK: Schemas

  /// Two or three classes that each have some of the kinds of properties there are, in every second
  /// scenario with one of embedded objects.
  private static func schema(_ random: inout SplitMix64) -> Schema {
    let ids = (1...2 + random.below(2)).map { ClassID(UInt32($0)) }
    let partClass = random.oneIn(2) ? ClassID(UInt32(ids.count + 1)) : nil
    let isMixed = random.oneIn(3)
    var targets: [ClassID: [PropertyID: ClassID]] = [:]
    for id in ids + (partClass.map { [$0] } ?? []) {
      targets[id] = [link: random.oneIn(2) && id != partClass ? id : random.pick(ids)]
      for property in [links, linkSet, linkMap] where !random.oneIn(5) {
        targets[id]?[property] = random.pick(ids)
      }
    }
    var classes: [ClassSchema] = []
    for id in ids + (partClass.map { [$0] } ?? []) {
      var properties = plainProperties(isKeyed: id != partClass)
      properties += linkProperties(targets[id] ?? [:]) + valueCollections(&random)
      if let partClass {
        properties += partProperties(partClass, isInside: id == partClass, &random)
      }
      if isMixed { properties += mixedProperties }
      properties += backlinks(to: id, targets)
      classes.append(
        ClassSchema(
          id: id, name: "C\(id.rawValue)", isEmbedded: id == partClass, properties: properties))
    }
    return Schema(classes: classes)
  }

  private static func plainProperties(isKeyed: Bool) -> [PropertySchema] {
    let key = PropertySchema(id: key, name: "key", type: PropertyType(.int), isPrimaryKey: true)
    return (isKeyed ? [key] : []) + [
      PropertySchema(id: number, name: "number", type: PropertyType(.int)),
      PropertySchema(id: text, name: "text", type: PropertyType(.string, isOptional: true)),
    ]
  }

  private static func linkProperties(_ targets: [PropertyID: ClassID]) -> [PropertySchema] {
    [(link, PropertyShape.single), (links, .list), (linkSet, .set), (linkMap, .map)].compactMap {
      property, shape in
      targets[property].map {
        PropertySchema(
          id: property, name: linkNames[property] ?? "",
          type: PropertyType(.link($0), shape: shape))
      }
    }
  }

  /// Of some type each.
  private static func valueCollections(_ random: inout SplitMix64) -> [PropertySchema] {
    [
      (values, "values", PropertyShape.list), (valueSet, "valueSet", .set),
      (valueMap, "valueMap", .map),
    ].compactMap { property, name, shape in
      let element = random.pick([ElementType.int, .int, .string, .date, .bool])
      let isOptional = shape != .set && random.oneIn(3)
      return random.oneIn(5)
        ? nil
        : PropertySchema(
          id: property, name: name,
          type: PropertyType(element, shape: shape, isOptional: isOptional))
    }
  }

  private static func partProperties(
    _ target: ClassID, isInside: Bool, _ random: inout SplitMix64
  ) -> [PropertySchema] {
    [
      (part, "part", PropertyShape.single), (parts, "parts", .list), (partMap, "partMap", .map),
    ].compactMap { property, name, shape in
      random.oneIn(isInside ? 2 : 4)
        ? nil
        : PropertySchema(
          id: property, name: name, type: PropertyType(.link(target), shape: shape))
    }
  }

  private static let mixedProperties = [
    PropertySchema(id: mixed, name: "mixed", type: PropertyType(.any)),
    PropertySchema(id: mixedList, name: "mixedList", type: PropertyType(.any, shape: .list)),
    PropertySchema(id: mixedMap, name: "mixedMap", type: PropertyType(.any, shape: .map)),
    PropertySchema(id: mixedSet, name: "mixedSet", type: PropertyType(.any, shape: .set)),
  ]

  private static func backlinks(
    to id: ClassID, _ targets: [ClassID: [PropertyID: ClassID]]
  ) -> [PropertySchema] {
    var properties: [PropertySchema] = []
    for (origin, its) in targets.sorted(by: { $0.key < $1.key }) {
      for (link, target) in its.sorted(by: { $0.key < $1.key }) where target == id {
        let name = linkNames[link] ?? ""
        properties.append(
          PropertySchema(
            id: PropertyID(UInt32(firstBacklinks + properties.count)),
            name: "\(name)Of\(origin.rawValue)",
            type: PropertyType(.link(origin), shape: .backlinks(name))))
      }
    }
    return properties
  }

  private static let linkNames = [
    link: "link", links: "links", linkSet: "linkSet", linkMap: "linkMap",
  ]

  var classIDs: [ClassID] { state.schema.classes.map(\.id) }

  /// Of objects that are not embedded.
  var ownClassIDs: [ClassID] { classIDs.filter { $0 != partClass } }

  /// Any class.
  mutating func classID() -> ClassID { random.pick(classIDs) }

  func type(_ property: PropertyID, of classID: ClassID) -> PropertyType? {
    state.schema.classSchema(classID)?.property(property)?.type
  }

  /// Those of the properties that a class has.
  func those(_ properties: [PropertyID], of classID: ClassID) -> [PropertyID] {
    properties.filter { type($0, of: classID) != nil }
  }

  mutating func object(_ classID: ClassID, in state: ModelState) -> ObjectID? {
    let numbers = state.numbers(of: classID)
    return numbers.isEmpty ? nil : ObjectID(classID, numbers[random.below(numbers.count)])
  }

  var isMixed: Bool { state.schema.classes[0].property(Self.mixed) != nil }

  /// Backlinks properties of a class.
  func backlinksProperties(_ classID: ClassID) -> [PropertyID] {
    (state.schema.classSchema(classID)?.properties ?? []).filter(\.type.isBacklinks).map(\.id)
  }

  func target(_ classID: ClassID, _ property: PropertyID) -> ClassID {
    state.schema.classSchema(classID)?.property(property)?.type.target ?? classID
  }

  mutating func linkValue(_ classID: ClassID, _ property: PropertyID, in state: ModelState)
    -> Value
  {
    object(target(classID, property), in: state).map(Value.link) ?? .null
  }
}
