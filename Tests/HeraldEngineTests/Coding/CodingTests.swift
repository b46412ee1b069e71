import HeraldModel
import HeraldObservation
import HeraldQuery
import TestSupport
import Testing

@testable import HeraldEngine

/// What the engine keeps as blobs reads back as it was written, and nothing else is taken for it.
struct CodingTests {
  private func randomValue(_ generator: inout SplitMix64) -> Value {
    switch Int.random(in: 0..<14, using: &generator) {
    case 0: .null
    case 1: .bool(Bool.random(using: &generator))
    case 2:
      .int(
        Int(truncatingIfNeeded: generator.next() >> UInt64.random(in: 0..<64, using: &generator)))
    case 3: .float(Float.random(in: -1e9...1e9, using: &generator))
    case 4: .double(Double(bitPattern: generator.next() & 0x7fef_ffff_ffff_ffff))
    case 5: .string(String(repeating: "ä🐶x", count: Int.random(in: 0..<40, using: &generator)))
    case 6: .data((0..<Int.random(in: 0..<300, using: &generator)).map { UInt8($0 & 255) })
    case 7:
      .date(Timestamp(seconds: Int.random(in: .min ... .max, using: &generator), nanoseconds: 7))
    case 8: .decimal(Decimal128(Int.random(in: -9999...9999, using: &generator)))
    case 9: .uuid(UniqueID(random: &generator))
    case 10: .objectID(DocumentID.generate(seconds: 5, using: &generator))
    case 11: .list([.int(1), .list([.null]), .string("x")])
    case 12: .map(["a": .int(1), "b": .map([:])])
    case _: .link(ObjectID(ClassID(UInt32.random(in: 0...9, using: &generator)), 1 << 40))
    }
  }

  private func randomRecord(_ generator: inout SplitMix64) -> CommitRecord {
    var record = CommitRecord(version: Int.random(in: 1...1 << 50, using: &generator))
    record.schemaChanged = Bool.random(using: &generator)
    if record.schemaChanged {
      record.losses.classes = [ClassID(7), ClassID(8)]
      record.losses.properties = [ClassID(2): [PropertyID(1), PropertyID(300)]]
    }
    for classNumber in 0..<UInt32.random(in: 0...3, using: &generator) {
      var change = ClassChange()
      for _ in 0..<Int.random(in: 0...20, using: &generator) {
        change.created.insert(Int.random(in: 1...50, using: &generator))
        let number = Int.random(in: 1...1 << 40, using: &generator)
        let property = PropertyID(UInt32.random(in: 1...4, using: &generator))
        change[property].values[number] = randomValue(&generator)
        change.deleted[number + 1] = DeletedObject(
          key: randomValue(&generator),
          links: [OutgoingLink(property: PropertyID(3), target: ObjectID(ClassID(2), number))],
          values: [PropertyID(1): randomValue(&generator)],
          collections: [
            PropertyID(4): CollectionContents(elements: [randomValue(&generator)], keys: ["k"])
          ])
        var list = ListDelta(oldCount: 10)
        list.insert([randomValue(&generator), randomValue(&generator)], at: 3)
        list.remove(at: 7, old: randomValue(&generator))
        list.replace(at: 0, old: randomValue(&generator), new: .int(0))
        list.move(from: 1, to: 6)
        list.settle(old: { .int($0) }, new: { .int($0) })
        change[PropertyID(9)].lists[number] = list
        change[PropertyID(10)].sets[number] = SetDelta(
          inserted: [randomValue(&generator)], removed: [.int(3)])
        change[PropertyID(11)].maps[number] = MapDelta(
          inserted: ["a"], removed: ["b": randomValue(&generator)], modified: ["c": .null])
      }
      record.classes[ClassID(classNumber)] = change
    }
    return record
  }

  @Test(arguments: [
    SingleChange(ClassID(300), .value(PropertyID(200), 70_000, old: .string("old"))),
    SingleChange(ClassID(1), .value(PropertyID(1), 1, old: .null)),
    SingleChange(ClassID(2), .created(1...1)), SingleChange(ClassID(2), .created(256...1 << 30)),
  ])
  func `the only change of a commit is written as one of several is`(change: SingleChange) throws {
    let single = CommitRecord(version: 129, single: change)
    var expanded = single
    expanded.expand()
    #expect(single.single != nil && expanded.single == nil)
    #expect(single.encoded() == expanded.encoded())
    #expect(try CommitRecord(encoded: single.encoded()) == expanded)
  }

  @Test(arguments: 0..<50)
  func `a commit record reads back as it was written`(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let record = randomRecord(&generator)
    #expect(try CommitRecord(encoded: record.encoded()) == record)
  }

  @Test func `a record that a program of another version wrote decodes to nil`() throws {
    var bytes = CommitRecord(version: 2).encoded()
    bytes[0] += 1
    #expect(try CommitRecord(encoded: bytes) == nil)
    bytes[0] -= 2
    #expect(try CommitRecord(encoded: bytes) == nil)
  }

  @Test(arguments: 0..<50)
  func `a damaged commit record is an error or another record, never a crash`(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    let bytes = randomRecord(&generator).encoded()
    for length in 0..<min(bytes.count, 200) {
      #expect(throws: DamagedBytes.self) { try CommitRecord(encoded: Array(bytes[..<length])) }
    }
    for _ in 0..<200 {
      var damaged = bytes
      damaged[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(
        in: 0...255, using: &generator)
      _ = try? CommitRecord(encoded: damaged)
    }
  }

  @Test func `a schema reads back as it was written`() throws {
    let dog = ClassID(1)
    let schema = Schema(classes: [
      ClassSchema(
        id: dog, name: "Dog",
        properties: [
          PropertySchema(
            id: PropertyID(1), name: "id", type: PropertyType(.int), isPrimaryKey: true),
          PropertySchema(
            id: PropertyID(2), name: "name", type: PropertyType(.string, isOptional: true),
            isIndexed: true, defaultValue: .string("Max")),
          PropertySchema(
            id: PropertyID(4), name: "siblings", type: PropertyType(.link(dog), shape: .list)),
          PropertySchema(
            id: PropertyID(5), name: "owner", type: PropertyType(.link(ClassID(7)))),
        ]),
      ClassSchema(id: ClassID(7), name: "Person", isDeclared: false, properties: []),
    ])
    #expect(try Schema(encoded: schema.encoded()) == schema)
  }

  @Test(arguments: TypeKeyword.allCases)
  func `a property of any type reads back as it was written`(keyword: TypeKeyword) throws {
    let type = PropertyType(ElementType(keyword))
    let property = PropertySchema(id: PropertyID(1), name: "p", type: type)
    let schema = Schema(classes: [ClassSchema(id: ClassID(1), name: "C", properties: [property])])
    #expect(try Schema(encoded: schema.encoded()) == schema)
  }

  @Test(arguments: TypeKeyword.allCases)
  func `values of any type equal themselves only, have an order and read back`(
    keyword: TypeKeyword
  ) throws {
    let (low, high) = values(keyword)
    #expect([low] == [low] && low != high)
    #expect(Value.order(low, low) == 0 && Value.order(low, high) < 0)
    var reader = ByteReader(ByteWriter.encoded(low))
    #expect(try reader.value() == low)
  }

  /// Two values of a type, the lower first.
  private func values(_ keyword: TypeKeyword) -> (Value, Value) {
    switch keyword {
    case .bool: (.bool(false), .bool(true))
    case .int: (.int(-1), .int(2))
    case .float: (.float(0.5), .float(1))
    case .double: (.double(0.5), .double(1))
    case .string: (.string("a"), .string("b"))
    case .data: (.data([1]), .data([1, 0]))
    case .date:
      (.date(Timestamp(seconds: 0, nanoseconds: 0)), .date(Timestamp(seconds: 0, nanoseconds: 1)))
    case .decimal: (.decimal(Decimal128(1)), .decimal(Decimal128(2)))
    case .uuid: (.uuid(UniqueID(bits: (0, 1))), .uuid(UniqueID(bits: (1, 0))))
    case .objectID: (.objectID(DocumentID(bits: (0, 1))), .objectID(DocumentID(bits: (1, 0))))
    case .any: (.list([.int(1)]), .list([.int(1), .null]))
    }
  }
}
