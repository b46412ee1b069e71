import Herald
import TestSupport

@testable import TestModel

/// A random store of rows and their owners, and its model.
///
/// Rows are enough for several blocks, and some of their values grow with their number, so that the
/// zones of blocks are selective. Properties are of every type that has an order, each with an
/// index or without one.
struct PlanWorld {
  static let (owner, row) = (0, 1)

  let store: DynamicStore
  private(set) var model: ModelStore
  private var random: SplitMix64

  init(seed: UInt64) throws {
    random = SplitMix64(seed: seed)
    let store = try DynamicStore()
    self.store = store
    let counts = random.pick([(4, 12), (10, 60), (30, 300), (30, 700), (300, 300)])
    var schema = Self.schema(rows: counts.1, &random)
    for definition in schema.definitions { try store.declare(definition) }
    schema.ids = schema.classes.compactMap { store.schema.classSchema(named: $0.name)?.id }
    model = ModelStore(schema: schema)
    try write { world, transaction in
      for (type, count) in [(Self.owner, counts.0), (Self.row, counts.1)] {
        for place in 0..<count { try world.add(type, place, transaction) }
      }
      for id in transaction.state.objects[Self.row].map(\.id) { try world.link(id, transaction) }
    }
    try write { world, transaction in try world.change(transaction) }
  }

  // MARK: - Schema

  private static func schema(rows: Int, _ random: inout SplitMix64) -> ModelSchema {
    let plain = (0..<2).map { _ in
      [ModelSchema.Property(name: "id", element: .int, isPrimaryKey: true, range: 2 * rows + 8)]
        + properties(rows: rows, &random)
    }
    let links = [
      ModelSchema.Property(name: "owner", element: .link("Owner"), target: owner),
      ModelSchema.Property(name: "pals", element: .link("Row"), shape: .list, target: row),
    ]
    let rows = ModelSchema.Property(
      name: "rows", element: .link("Row"), shape: .backlinks, target: row, origin: plain[1].count)
    return ModelSchema(classes: [
      ModelSchema.Class(name: "Owner", properties: plain[0] + [rows]),
      ModelSchema.Class(name: "Row", properties: plain[1] + links),
    ])
  }

  private static func properties(
    rows: Int, _ random: inout SplitMix64
  ) -> [ModelSchema.Property] {
    let elements: [ClassDefinition.Property.Element] = [
      .int, .int, .bool, .double, .float, .decimal, .string, .string, .date, .uuid, .objectID,
    ]
    return elements.enumerated().map { place, element in
      ModelSchema.Property(
        name: "p\(place)", element: element, isOptional: random.chance(40),
        isIndexed: random.chance(40), range: random.chance(50) ? max(2, rows / 40 + 2) : 13)
    }
  }

  /// A value of few, so that queries find some: those of half of the properties grow.
  private mutating func value(_ property: ModelSchema.Property, _ place: Int) -> Value {
    if property.isOptional, random.chance(20) { return .null }
    let isClustered = property.range != 13
    return property.value(isClustered ? place / 40 + random.below(2) : random.below(12), &random)
  }

  // MARK: - Contents

  /// Does the same to the store and to the model.
  private mutating func write(
    _ body: (inout PlanWorld, ModelTransaction) throws -> Void
  ) throws {
    let transaction = ModelTransaction(on: model, nextSerial: 1)
    try store.beginWrite()
    try body(&self, transaction)
    try store.commitWrite()
    model = transaction.state
  }

  private mutating func add(_ type: Int, _ place: Int, _ transaction: ModelTransaction) throws {
    let properties = model.schema.classes[type].properties.filter { $0.shape != .backlinks }
    let given = properties.map { property in
      if property.isPrimaryKey { return ModelGiven("id", .value(.int(place * 2))) }
      if property.target != nil {
        return ModelGiven(property.name, property.isCollection ? .list([]) : .value(.null))
      }
      return ModelGiven(property.name, .value(value(property, place)))
    }
    let object = try store.add(model.schema.classes[type].name, given.map(\.named))
    transaction.add(object.id, type: type, given.map(\.content))
  }

  private func set(
    _ id: ObjectID, _ property: Int, _ content: ModelGiven.Content,
    _ transaction: ModelTransaction
  ) throws {
    let name = model.schema.classes[Self.row].properties[property].name
    try store.object(id)?.set([ModelGiven(name, content).named])
    transaction.set(id, property, content)
  }

  private mutating func link(_ id: ObjectID, _ transaction: ModelTransaction) throws {
    let objects = transaction.state.objects
    let (owners, rows) = (objects[Self.owner], objects[Self.row])
    let links = model.schema.classes[Self.row].links
    if random.chance(80) {
      try set(id, links[0], .value(.link(random.pick(owners).id)), transaction)
    }
    guard random.chance(20) else { return }
    let pals = (0..<(1 + random.below(3))).map { _ in Value.link(random.pick(rows).id) }
    try set(id, links[1], .list(pals), transaction)
  }

  /// Deletes some rows and changes some values, so that blocks have gaps and indexes have changed.
  private mutating func change(_ transaction: ModelTransaction) throws {
    let rows = transaction.state.objects[Self.row].map(\.id)
    let plain = model.schema.classes[Self.row].plain.dropFirst()
    for _ in 0..<(rows.count / 8) {
      let (place, property) = (random.below(rows.count), random.pick(Array(plain)))
      let value = value(model.schema.classes[Self.row].properties[property], place)
      try set(rows[place], property, .value(value), transaction)
    }
    for id in rows.shuffled(using: &random).prefix(random.below(rows.count / 8 + 1)) {
      try store.object(id).map { try store.delete($0) }
      transaction.delete(id)
    }
  }
}
