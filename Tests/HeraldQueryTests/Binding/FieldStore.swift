import HeraldModel
import HeraldQuery

@testable import TestModel

/// A store with the data of one of the field's tests.
protocol FieldStore {
  var store: ModelReader { get }
}

private func property(
  _ id: UInt32, _ name: String, _ type: ElementType, _ shape: PropertyShape = .single
) -> PropertySchema {
  PropertySchema(id: PropertyID(id), name: name, type: PropertyType(type, shape: shape))
}

private func decimal(_ text: String) -> Value { .decimal(Decimal128(text)!) }

/// People and what they bought.
struct Shop: FieldStore {
  let store: ModelReader

  init() {
    let (item, person) = (ClassID(1), ClassID(2))
    store = ModelReader(
      Schema(classes: [
        ClassSchema(
          id: item, name: "Items",
          properties: [
            property(1, "name", .string), property(2, "price", .double),
            property(3, "price_decimal", .decimal),
          ]),
        ClassSchema(
          id: person, name: "Person",
          properties: [
            property(1, "customer_id", .int), property(2, "name", .string),
            property(3, "account_balance", .double),
            property(4, "account_balance_decimal", .decimal),
            property(5, "items", .link(item), .list), property(6, "fav_item", .link(item)),
          ]),
      ]))
    let goods = [
      ("milk", "5.5"), ("oranges", "4.0"), ("pizza", "9.5"), ("cereal", "6.5"), ("bread", "3.5"),
    ].map { name, price in
      Value.link(
        store.add(
          "Items",
          [
            "name": [.string(name)], "price": [.double(Double(price)!)],
            "price_decimal": [decimal(price)],
          ]))
    }
    let people: [(name: String, items: [Int], favourite: Int)] = [
      ("Adam", [0, 1, 2, 3], 0), ("James", Array(repeating: 0, count: 10), 1),
      ("John", [2, 2, 3], 2),
    ]
    for (index, one) in people.enumerated() {
      store.add(
        "Person",
        [
          "customer_id": [.int(index)], "name": [.string(one.name)],
          "account_balance": [.double(Double(10 * (index + 1)))],
          "account_balance_decimal": [decimal("\(10 * (index + 1)).0")],
          "items": one.items.map { goods[$0] }, "fav_item": [goods[one.favourite]],
        ])
    }
  }
}

/// Values of every type, in lists and alone, and sets of doubles.
struct Mixture: FieldStore {
  let store: ModelReader

  init() {
    let (row, foo) = (ClassID(1), ClassID(2))
    store = ModelReader(
      Schema(classes: [
        ClassSchema(id: row, name: "Row", properties: [property(1, "elems", .any, .list)]),
        ClassSchema(
          id: foo, name: "Foo",
          properties: [property(1, "mixed", .any), property(2, "num", .int)]),
        ClassSchema(
          id: ClassID(3), name: "Origin",
          properties: [property(1, "link", .link(foo)), property(2, "links", .link(foo), .list)]),
        ClassSchema(
          id: ClassID(4), name: "Levels",
          properties: [property(1, "items", .double, .set), property(2, "single", .double)]),
      ]))
    addRows()
    addFoos()
    for items: [Double] in [[0, 1], [2, 3, 4, 5], [6, 7, 8, 9, 100], [3], []] {
      store.add("Levels", ["items": items.map(Value.double), "single": [.double(3)]])
    }
  }

  private func addRows() {
    let rows: [[Value]] = [
      [], [.null], [.string("")], [.int(0), .int(1), .int(2)],
      [.int(1), .double(2.2), .double(3.3), .double(4.4)],
      [.string("one"), .string("two"), .string("three"), .string(""), .null],
      [
        .string("foo"), .int(1), .date(Timestamp(seconds: 1)), .double(2.5), .double(3.7),
        .objectID(DocumentID("62e2905feb23128a10ab3973")!), .uuid(UniqueID(bits: (0, 0))), .null,
        .bool(false), .bool(true),
      ],
    ]
    for elements in rows { store.add("Row", ["elems": elements]) }
  }

  private func addFoos() {
    let special: [Int: Value] = [
      15: .null, 17: .bool(true), 19: .uuid(UniqueID(bits: (0, 1))), 25: .double(3),
      28: .data(Array("String2Binary".utf8)), 35: .double(3), 75: .double(75),
    ]
    let foos = (0..<100).map { index in
      let plain: Value = index.isMultiple(of: 4) ? .string("String\(index)") : .int(index)
      return store.add("Foo", ["mixed": [special[index] ?? plain], "num": [.int(index)]])
    }
    for start in stride(from: 0, to: 100, by: 10) {
      store.add(
        "Origin",
        [
          "link": [.link(foos[start])], "links": foos[start..<start + 10].map(Value.link),
        ])
    }
  }
}
