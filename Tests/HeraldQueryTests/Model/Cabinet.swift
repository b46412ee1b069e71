import HeraldModel
import HeraldQuery

@testable import TestModel

/// The store that the tables of types ask: boxes that hold values of every type, and cards that
/// they link to.
struct Cabinet: QueriedStore {
  static let root = "Box"

  let store: ModelReader
  let names: CabinetNames

  static let schema: Schema = {
    let (box, card) = (ClassID(1), ClassID(2))
    func property(
      _ id: UInt32, _ name: String, _ type: ElementType, _ shape: PropertyShape = .single,
      optional: Bool = false, indexed: Bool = false
    ) -> PropertySchema {
      PropertySchema(
        id: PropertyID(id), name: name,
        type: PropertyType(type, shape: shape, isOptional: optional), isIndexed: indexed)
    }
    return Schema(classes: [
      ClassSchema(
        id: box, name: "Box",
        properties: [
          property(1, "size", .int), property(2, "price", .decimal, optional: true),
          property(3, "uid", .uuid, optional: true, indexed: true),
          property(4, "oid", .objectID, optional: true), property(5, "mixed", .any),
          property(6, "things", .any, .list), property(7, "tags", .string, .set),
          property(8, "levels", .double, .set, optional: true),
          property(9, "scores", .int, .map, optional: true),
          property(10, "byName", .link(card), .map),
          property(11, "notes", .any, .map), property(12, "card", .link(card)),
          property(13, "cards", .link(card), .set), property(14, "weight", .float),
          property(15, "height", .double), property(16, "prices", .decimal, .list),
          property(17, "born", .date, optional: true), property(18, "code", .any, indexed: true),
          property(19, "text", .string), property(20, "data", .data),
        ]),
      ClassSchema(
        id: card, name: "Card",
        properties: [
          property(1, "name", .string), property(2, "worth", .decimal),
          property(3, "boxes", .link(box), .backlinks("card")),
          property(4, "shelves", .link(box), .backlinks("cards")),
          property(5, "next", .link(card)), property(6, "dates", .date, .list),
        ]),
    ])
  }()

  static let uid = "00000000-0000-0000-0000-00000000000"
  static let oid = "62e2905feb23128a10ab397"

  /// Boxes 1 to 6; cards 1 ace, 2 king, 3 queen.
  init() {
    let store = ModelReader(Cabinet.schema)
    func decimal(_ text: String) -> Value { .decimal(Decimal128(text)!) }
    let cards = [("ace", "0.1"), ("king", "1.10"), ("queen", "1E+3")].map { name, worth in
      store.add("Card", ["name": [.string(name)], "worth": [decimal(worth)]])
    }
    store.set(cards[0], "next", [.link(cards[1])])
    store.set(
      cards[0], "dates", [.date(Timestamp(seconds: 5)), .date(Timestamp(seconds: 1))])
    func uuid(_ digit: Int) -> Value { .uuid(UniqueID("\(Cabinet.uid)\(digit)")!) }
    func oid(_ digit: Int) -> Value { .objectID(DocumentID("\(Cabinet.oid)\(digit)")!) }
    let nested: Value = .map([
      "a": .int(1), "b": .list([.int(2), .string("x"), .map(["c": .double(2.5)])]),
    ])
    let mixed: [Value] = [
      .int(3), .string("3"), .double(3), .link(cards[0]), .list([.int(1), .int(2), .string("z")]),
      nested,
    ]
    let prices = ["0.1", "0.10", "3.141592653589793238", "123456789012345678901234567890", "-2"]
    let boxes = (0..<6).map { index in
      store.add(
        "Box",
        [
          "size": [.int(index)], "mixed": [mixed[index]],
          "price": [index < prices.count ? decimal(prices[index]) : .null],
          "uid": [index < 3 ? uuid(index) : .null], "oid": [index < 2 ? oid(index) : .null],
          "weight": [.float(Float(index) / 10)], "height": [.double(Double(index) / 10)],
          "code": [[.int(1), .double(1), .string("1"), .data([49]), .bool(true), .null][index]],
          "text": [.string("t\(index)")], "data": [.data(Array("t\(index / 2)".utf8))],
        ])
    }
    store.set(boxes[0], "things", [.null, .int(1), .float(0.1), .double(2.5), decimal("0.1")])
    store.set(boxes[1], "things", [.string("b"), .data([97]), .bool(true), uuid(1)])
    store.set(boxes[2], "things", [.list([.int(7)]), .map(["k": .int(7)]), .link(cards[1])])
    store.set(boxes[0], "tags", [.string("a"), .string("b")])
    store.set(boxes[1], "tags", [.string("b")])
    store.set(boxes[0], "levels", [.null, .double(1), .double(2)])
    store.set(boxes[1], "levels", [.double(3)])
    store.setMap(boxes[0], "scores", ["a": .int(1), "b": .null, "c d": .int(3)])
    store.setMap(boxes[1], "scores", ["a": .int(2)])
    store.setMap(boxes[0], "byName", ["x": .link(cards[0]), "y": .null])
    store.setMap(boxes[1], "byName", ["x": .link(cards[1])])
    store.setMap(boxes[0], "notes", ["n": nested, "s": .string("word")])
    store.setMap(boxes[1], "notes", ["s": .int(4), "d": .double(0.5)])
    for (box, card) in [(0, 0), (1, 0), (2, 1)] {
      store.set(boxes[box], "card", [.link(cards[card])])
    }
    store.set(boxes[0], "cards", [.link(cards[0]), .link(cards[1])])
    store.set(boxes[3], "cards", [.link(cards[0])])
    store.set(boxes[0], "prices", [decimal("0.1"), decimal("0.2")])
    store.set(boxes[1], "prices", [decimal("1E+30"), decimal("1")])
    store.set(boxes[0], "born", [.date(Timestamp(seconds: 5))])
    self.store = store
    names = CabinetNames(variables: [
      "ace": .value(.link(cards[0])), "tenth": .value(.double(0.1)), "nested": .value(nested),
      "id": .value(uuid(2)), "box": .value(.link(boxes[0])),
      "several": .values([.int(3), .string("3"), .null]),
    ])
  }

  /// The rows by every way there is: by blocks, one by one, with variables frozen, printed and read.
  func rows(_ text: String, root: String = "Box") throws -> Set<[ObjectNumber]> {
    let query = try query("where " + text, root: root)
    let all = Array(1...store.objectCount(of: query.classID))
    let printed = try QueryParser.parsePredicate(Array(text.utf8), from: 0).predicate
      .description
    return [
      query.rows(store), all.filter { query.predicate.matches($0, store) },
      try self.query("where " + text, root: root, isFrozen: true).rows(store),
      try self.query("where " + printed, root: root).rows(store),
    ]
  }
}

struct CabinetNames: QueryNames {
  let variables: [String: QueryOperand]

  func variable(_ name: String) -> QueryOperand? { variables[name] }

  var variableNames: [String] { variables.keys.sorted() }

  func object(_ className: String, key: Value) throws -> ObjectID? {
    switch (className, key) {
    case ("Box", .int(let number)): ObjectID(ClassID(1), number)
    case ("Box", .uuid(let id)) where id == UniqueID("\(Cabinet.uid)1"): ObjectID(ClassID(1), 2)
    default: nil
    }
  }
}
