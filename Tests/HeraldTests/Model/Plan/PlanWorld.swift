import Herald
import TestSupport

/// A random store of rows and their owners, and the same values in plain arrays.
///
/// Rows are enough for several blocks, and some of their values grow with their number, so that the
/// zones of blocks are selective. Properties are of every type that has an order, each with an
/// index or without one.
struct PlanWorld {
  struct Property {
    let name: String
    let element: ClassDefinition.Property.Element
    let isOptional: Bool
    let isIndexed: Bool
    /// Whether values grow with the object's number.
    let isClustered: Bool
  }

  struct Member {
    let object: DynamicObject
    var values: [Value]
    /// Of a row: its owner's index.
    var owner: Int?
    /// Of a row: indices of other rows.
    var pals: [Int] = []
  }

  let store: DynamicStore
  let rowProperties: [Property]
  let ownerProperties: [Property]
  private(set) var rows: [Member] = []
  private(set) var owners: [Member] = []

  init(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    store = try DynamicStore()
    rowProperties = Self.properties(&random)
    ownerProperties = Self.properties(&random)
    try store.declare(Self.definition("Owner", ownerProperties, more: []))
    try store.declare(
      Self.definition(
        "Row", rowProperties,
        more: [
          .init(name: "owner", element: .link("Owner")),
          .init(name: "pals", element: .link("Row"), shape: .list),
        ]))
    try fill(&random)
  }

  private static func properties(_ random: inout SplitMix64) -> [Property] {
    let elements: [ClassDefinition.Property.Element] = [
      .int, .int, .bool, .double, .float, .decimal, .string, .string, .date, .uuid, .objectID,
    ]
    return elements.enumerated().map { place, element in
      Property(
        name: "p\(place)", element: element, isOptional: random.chance(40),
        isIndexed: random.chance(40), isClustered: random.chance(50))
    }
  }

  private static func definition(
    _ name: String, _ properties: [Property], more: [ClassDefinition.Property]
  ) -> ClassDefinition {
    ClassDefinition(
      name: name,
      properties: [.init(name: "id", element: .int, isPrimaryKey: true)]
        + properties.map {
          .init(
            name: $0.name, element: $0.element, isOptional: $0.isOptional, isIndexed: $0.isIndexed)
        } + more)
  }

  private mutating func fill(_ random: inout SplitMix64) throws {
    let counts = random.pick([(4, 12), (10, 60), (30, 300), (5, 700), (300, 300)])
    try store.beginWrite()
    for place in 0..<counts.0 { owners.append(try add("Owner", place, ownerProperties, &random)) }
    for place in 0..<counts.1 { rows.append(try add("Row", place, rowProperties, &random)) }
    for place in rows.indices {
      if random.chance(80) { rows[place].owner = random.below(owners.count) }
      if random.chance(20) {
        rows[place].pals = (0..<(1 + random.below(3))).map { _ in random.below(rows.count) }
      }
      let owner = rows[place].owner.map { Value.link(owners[$0].object.id) } ?? .null
      let pals = rows[place].pals.map { Value.link(rows[$0].object.id) }
      try rows[place].object.set([("owner", .value(owner)), ("pals", .list(pals))])
    }
    try store.commitWrite()
    try change(&random)
  }

  /// Deletes some rows and changes some values, so that blocks have gaps and indexes have changed.
  private mutating func change(_ random: inout SplitMix64) throws {
    try store.beginWrite()
    for _ in 0..<(rows.count / 8) {
      let place = random.below(rows.count)
      let property = random.below(rowProperties.count)
      let value = Self.value(rowProperties[property], place, &random)
      rows[place].values[property] = value
      try rows[place].object.set(rowProperties[property].name, to: .value(value))
    }
    // The last rows are nobody's pals any more once they are deleted.
    for _ in 0..<random.below(rows.count / 8 + 1) {
      let last = rows.removeLast()
      try store.delete(last.object)
      let gone = rows.count
      for place in rows.indices { rows[place].pals.removeAll { $0 == gone } }
    }
    try store.commitWrite()
  }

  private func add(
    _ name: String, _ place: Int, _ properties: [Property], _ random: inout SplitMix64
  ) throws -> Member {
    let values = properties.map { Self.value($0, place, &random) }
    var contents: [NamedContent] = [("id", .value(.int(place * 2)))]
    for (property, value) in zip(properties, values) {
      contents.append((property.name, .value(value)))
    }
    return Member(object: try store.add(name, contents), values: values)
  }

  /// A value of few, so that queries find some.
  static func value(
    _ property: Property, _ place: Int, _ random: inout SplitMix64
  ) -> Value {
    if property.isOptional, random.chance(20) { return .null }
    let number = property.isClustered ? place / 40 + random.below(2) : random.below(12)
    return value(property.element, number, &random)
  }

  static func value(
    _ element: ClassDefinition.Property.Element, _ number: Int, _ random: inout SplitMix64
  ) -> Value {
    switch element {
    case .bool: .bool(number % 2 == 0)
    case .int: .int(number - 3)
    case .float: .float(Float(number) / 4 - 1)
    case .double: .double(Double(number) / 4 - 1)
    case .decimal: .decimal(Decimal128(random.chance(50) ? "\(number).50" : "-\(number).5")!)
    case .string:
      .string(random.pick(["", "a", "ab", "a long beginning ", "é"]) + String(number))
    case .date: .date(Timestamp(seconds: number * 1000, nanoseconds: Int32(number % 2)))
    case .uuid: .uuid(UniqueID(bits: (UInt64(number % 3), UInt64(number))))
    case .objectID: .objectID(DocumentID(bits: (UInt64(number % 3), UInt32(number))))
    case .data, .any, .link: .null
    }
  }
}
