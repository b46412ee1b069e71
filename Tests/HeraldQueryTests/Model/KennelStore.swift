import HeraldModel
import HeraldQuery

@testable import TestModel

/// The store of the query tables: people, their dogs and toys.
struct KennelStore: QueriedStore {
  static let root = "Dog"

  let store: ModelReader
  let names: KennelNames

  static let schema: Schema = {
    let (dog, person, toy) = (ClassID(1), ClassID(2), ClassID(3))
    func property(
      _ id: UInt32, _ name: String, _ type: ElementType, list: Bool = false,
      shape: PropertyShape = .single, optional: Bool = false, primary: Bool = false,
      indexed: Bool = false
    ) -> PropertySchema {
      PropertySchema(
        id: PropertyID(id), name: name,
        type: PropertyType(type, shape: list ? .list : shape, isOptional: optional),
        isPrimaryKey: primary, isIndexed: indexed)
    }
    return Schema(classes: [
      ClassSchema(
        id: dog, name: "Dog",
        properties: [
          property(1, "name", .string), property(2, "age", .int, optional: true),
          property(3, "weight", .float), property(4, "height", .double, optional: true),
          property(5, "isGood", .bool), property(6, "born", .date, optional: true),
          property(7, "chip", .data, optional: true), property(8, "owner", .link(person)),
          property(9, "toys", .link(toy), list: true), property(10, "tags", .string, list: true),
          property(11, "scores", .int, list: true, optional: true),
          property(12, "nick", .string, optional: true),
          property(13, "breed", .string, indexed: true),
          property(14, "cost", .decimal, optional: true), property(15, "mixed", .any),
          property(16, "labels", .string, shape: .set),
          property(17, "marks", .int, shape: .map, optional: true),
          property(18, "sitters", .link(person), shape: .map),
        ]),
      ClassSchema(
        id: person, name: "Person",
        properties: [
          property(1, "name", .string, primary: true), property(2, "age", .int),
          property(3, "dogs", .link(dog), list: true), property(4, "friend", .link(person)),
          property(5, "owned", .link(dog), shape: .backlinks("owner")),
        ]),
      ClassSchema(
        id: toy, name: "Toy",
        properties: [property(1, "name", .string), property(2, "price", .double)]),
      ClassSchema(id: ClassID(4), name: "Cat", isDeclared: false, properties: []),
    ])
  }()

  /// Dogs 1 Max, 2 Ida, 3 rex, 4 Zoë, 5 Bo; 6 was deleted.
  init() {
    let store = ModelReader(KennelStore.schema)
    let ball = store.add("Toy", ["name": [.string("ball")], "price": [.double(2.5)]])
    let bone = store.add("Toy", ["name": [.string("bone")], "price": [.double(9)]])
    let ann = store.add("Person", ["name": [.string("Ann")], "age": [.int(40)]])
    let bob = store.add("Person", ["name": [.string("Bob")], "age": [.int(7)]])
    func dog(_ name: String, _ age: Value, _ owner: ObjectID?, _ more: [String: [Value]])
      -> ObjectID
    {
      var values = more
      values["name"] = [.string(name)]
      values["age"] = [age]
      values["owner"] = [owner.map(Value.link) ?? .null]
      return store.add("Dog", values)
    }
    let max = dog(
      "Max", .int(4), ann,
      [
        "weight": [.float(0.1)], "height": [.double(30)], "isGood": [.bool(true)],
        "born": [.date(Timestamp(literal: "2020-05-01@12:00:00")!)], "chip": [.data([1, 2, 3])],
        "toys": [.link(ball), .link(bone)], "tags": [.string("big"), .string("brown")],
        "scores": [.int(1), .int(2)], "nick": [.string("Maxi")], "breed": [.string("husky")],
      ])
    let ida = dog(
      "Ida", .int(7), ann,
      [
        "weight": [.float(12.5)], "isGood": [.bool(true)], "toys": [.link(bone), .link(bone)],
        "tags": [.string("small")], "scores": [.null], "breed": [.string("mops")],
        "born": [.date(Timestamp(literal: "2017-01-31@00:00:00.5")!)],
      ])
    let rex = dog(
      "rex", .int(7), bob,
      ["weight": [.float(20)], "height": [.double(7)], "breed": [.string("husky")]])
    let zoe = dog(
      "Zoë", .null, nil, ["nick": [.string("Z*")], "scores": [.int(5), .null, .int(9)]])
    let bo = dog("Bo", .int(-1), bob, ["chip": [.data([])], "height": [.double(-1)]])
    store.remove(dog("Gone", .int(4), ann, [:]))
    store.set(ann, "dogs", [.link(max), .link(ida), .link(max)])
    store.set(bob, "dogs", [.link(rex), .link(bo)])
    store.set(bob, "friend", [.link(ann)])
    self.store = store
    names = KennelNames(variables: [
      "n": .value(.int(4)), "max": .value(.link(max)), "nothing": .value(.null),
      "ages": .values([.int(4), .int(7)]), "word": .value(.string("husky")),
      "some": .objects(classID: zoe.classID, [zoe.number, ida.number]),
      "ann": .value(.link(ann)), "none": .objects(classID: zoe.classID, []),
    ])
  }

  func rows(_ text: String, root: String = "Dog") throws -> [ObjectNumber] {
    try query(text, root: root).rows(store)
  }
}

struct KennelNames: QueryNames {
  let variables: [String: QueryOperand]

  func variable(_ name: String) -> QueryOperand? { variables[name] }

  var variableNames: [String] { variables.keys.sorted() }

  func object(_ className: String, key: Value) throws -> ObjectID? {
    switch (className, key) {
    case ("Dog", .int(let number)) where (1...5).contains(number):
      ObjectID(ClassID(1), number)
    case ("Person", .string("Ann")): ObjectID(ClassID(2), 1)
    case ("Person", .string("Bob")): ObjectID(ClassID(2), 2)
    case ("Person", .int): throw HeraldError.noSuchObject("Person#\(key)")
    default: nil
    }
  }
}
