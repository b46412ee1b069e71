import Herald
import HeraldEngine
import TestSupport
import Testing

/// Objects added as rows of plain values, several at once, beside the same ones that are added alone.
@Suite struct RowInsertionTests {
  private static let elements: [ClassDefinition.Property.Element] = [
    .bool, .int, .double, .date, .uuid, .string,
  ]

  /// A class with a property of each type, indexed or not, and one whose default every object gets.
  private static func definition(_ random: inout SplitMix64) -> ClassDefinition {
    ClassDefinition(
      name: "Entry",
      properties: elements.enumerated().map { index, element in
        .init(
          name: "p\(index)", element: element, isOptional: random.oneIn(2),
          isIndexed: element != .double && random.oneIn(2))
      } + [
        .init(name: "d", element: .int, isIndexed: true, defaultValue: .value(.int(7))),
        .init(name: "n", element: .string, isOptional: true, isIndexed: true),
      ])
  }

  /// Calls `body` with random values for the properties, whose text is in place.
  private static func withValues(
    _ definition: ClassDefinition, count: Int, _ random: inout SplitMix64,
    _ body: ([[PlainValue]]) throws -> Void
  ) rethrows {
    var texts: [UnsafeMutableRawBufferPointer] = []
    defer { for text in texts { text.deallocate() } }
    var rows: [[PlainValue]] = []
    for _ in 0..<count {
      rows.append(
        definition.properties.prefix(elements.count).map { property in
          if property.isOptional, random.oneIn(4) { return .null }
          switch property.element {
          case .bool: return .bool(random.oneIn(2))
          case .int: return .int(random.below(9) - 4)
          case .double: return random.oneIn(3) ? .int(3) : .double(Double(random.below(8)) / 8)
          case .date: return .date(Timestamp(seconds: random.below(9), nanoseconds: 5))
          case .uuid: return .uuid(UniqueID(bits: (UInt64(random.below(5)), 1)))
          default:
            let size = random.oneIn(40) ? 3000 : random.below(20)
            let text = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 1)
            for index in text.indices { text[index] = UInt8(ascii: "a") + UInt8(random.below(4)) }
            texts.append(text)
            return .text(UnsafeRawBufferPointer(text))
          }
        })
    }
    try body(rows)
  }

  private static func store(_ definition: ClassDefinition) throws -> DynamicStore {
    let store = try DynamicStore()
    try store.declare(definition)
    return store
  }

  private static func values(_ store: DynamicStore) throws -> [[Value]] {
    let names = store.schema.classSchema(named: "Entry")?.properties.map(\.name) ?? []
    return try store.objects("Entry").objects.map { entry in
      try names.map { try entry.value($0) } + [.int(entry.id.number)]
    }
  }

  @Test(arguments: seeds(40))
  func `rows added at once are the objects that are added alone`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let definition = Self.definition(&random)
    let names = definition.properties.prefix(Self.elements.count).map(\.name)
    let (rows, alone) = (try Self.store(definition), try Self.store(definition))
    for _ in 0..<3 {
      let count = 1 + random.below(700)
      let split = random.below(count)
      try Self.withValues(definition, count: count, &random) { values in
        try rows.write {
          let insertion = try #require(rows.insertion(of: "Entry", names))
          #expect(insertion.addsRows)
          for row in values {
            let base = row.withUnsafeBufferPointer { $0.baseAddress.map { insertion.keeps($0) } }
            #expect(base == true, "seed \(seed)")
          }
          for part in [values[..<split], values[split...]] where !part.isEmpty {
            let numbers = try part.flatMap { $0 }.withUnsafeBufferPointer {
              try insertion.add(rows: $0)
            }
            #expect(numbers?.count == part.count, "seed \(seed)")
          }
        }
        try alone.write {
          for row in values {
            let contents = zip(names, row).map { NamedContent($0, .value($1.value)) }
            _ = try alone.add("Entry", contents)
          }
        }
      }
    }
    #expect(try Self.values(rows) == Self.values(alone), "seed \(seed)")
    #expect(rows.check().isEmpty, "seed \(seed)")
  }

  @Test func `rows of a class with a primary key are added one by one`() throws {
    let store = try DynamicStore()
    try store.declare(
      ClassDefinition(
        name: "Key", properties: [.init(name: "id", element: .int, isPrimaryKey: true)]))
    try store.write {
      let insertion = try #require(store.insertion(of: "Key", ["id"]))
      #expect(!insertion.addsRows)
      let values: [PlainValue] = [.int(1), .int(1)]
      #expect(try values.withUnsafeBufferPointer { try insertion.add(rows: $0) } == nil)
    }
    #expect(try store.objects("Key").count == 0)
  }
}
