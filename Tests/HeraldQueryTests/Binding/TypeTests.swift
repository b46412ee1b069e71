import HeraldModel
import HeraldQuery
import Testing

@testable import TestModel

@Suite struct TypeTests {
  static let decimals: [(String, [Int])] = [
    ("price == 0.1", [1, 2]), ("price == 0.10", [1, 2]), ("price = $tenth", [1, 2]),
    ("price == 3.141592653589793238", [3]), ("price > 3.141592653589793237", [3, 4]),
    ("price == 123456789012345678901234567890", [4]),
    ("price > 123456789012345678901234567889", [4]), ("price == -2", [5]), ("price == nil", [6]),
    ("price != 0.1", [3, 4, 5, 6]), ("price < 0.", [5]), ("price < inf", [1, 2, 3, 4, 5]),
    ("price == nan", []), ("price BETWEEN {0.1, 4}", [1, 2, 3]),
    ("price IN {0.1, nil}", [1, 2, 6]),
    ("price + 0.2 == 0.3", [1, 2]), ("0.1 + 0.2 == 0.3", []), ("price * 10 == 1", [1, 2]),
    ("price / 0 == inf", [1, 2, 3, 4]), ("price == height", [2]), ("size > price", [2, 5]),
    ("size + price == 3.9", []), ("size - price == 6", [5]), ("card.worth == 0.1", [1, 2]),
    ("weight == 0.1", [2]), ("height == 0.10000000000000000001", [2]),
    ("size < 99999999999999999999", [1, 2, 3, 4, 5, 6]), ("size == 2.00", [3]),
    ("size > 1.00000000000000000001", [3, 4, 5, 6]), ("size == 1.00000000000000000001", []),
    ("prices.@sum == 0.3", [1]), ("prices.@avg == 0.15", [1]), ("prices.@max == 1e30", [2]),
    ("prices.@min == 0.1", [1]), ("prices.@sum == 1000000000000000000000000000001", [2]),
    ("cards.@sum.worth == 1.2", [1]), ("cards.@max.worth > 1", [1]),
    ("cards.@avg.worth == 0.6", [1]),
  ]

  @Test(arguments: decimals)
  func `decimals are exact`(text: String, rows: [Int]) throws {
    #expect(try Cabinet().rows(text) == [rows])
  }

  static let identifiers: [(String, [Int])] = [
    ("uid == uuid('\(Cabinet.uid)1')", [2]), ("uid == uuid(\(Cabinet.uid)1)", [2]),
    ("uid == UUID( \"\(Cabinet.uid)1\" )", [2]), ("uid > uuid(\(Cabinet.uid)0)", [2, 3]),
    ("uid == nil", [4, 5, 6]), ("uid IN {uuid(\(Cabinet.uid)0), $id}", [1, 3]),
    ("uid == $id", [3]), ("oid == oid(\(Cabinet.oid)1)", [2]),
    ("oid == oid('\(Cabinet.oid)0')", [1]), ("oid <= oid(\(Cabinet.oid)1)", [1, 2]),
    ("oid != oid(\(Cabinet.oid)1)", [1, 3, 4, 5, 6]),
    ("size == Box#uuid('\(Cabinet.uid)1').size", [2]), ("data == binary('dDE=')", [3, 4]),
    ("data BEGINSWITH binary('dA==')", [1, 2, 3, 4, 5, 6]),
  ]

  @Test(arguments: identifiers)
  func `identifiers and bytes`(text: String, rows: [Int]) throws {
    #expect(try Cabinet().rows(text) == [rows])
  }

  static let anys: [(String, [Int])] = [
    ("mixed == 3", [1, 3]), ("mixed == '3'", [2]), ("mixed == binary('Mw==')", []),
    ("mixed != 3", [2, 4, 5, 6]), ("mixed >= 3", [1, 3]), ("mixed > '2'", [2]),
    ("mixed < 'a'", [2]),
    ("mixed CONTAINS '3'", [2]), ("mixed LIKE '?'", [2]), ("mixed BETWEEN {2, 4}", [1, 3]),
    ("mixed IN {3, '3'}", [1, 2, 3]), ("mixed IN $several", [1, 2, 3]), ("mixed == nil", []),
    ("mixed == $ace", [4]), ("mixed == card", []), ("mixed.name == 'ace'", [4]),
    ("mixed.next.name == 'king'", [4]), ("mixed.worth == 0.1", [4]), ("mixed[0] == 1", [5]),
    ("mixed[1] == 2", [5]), ("mixed[LAST] == 'z'", [5]), ("mixed[9] == nil", [1, 2, 3, 4, 5, 6]),
    ("mixed[*] == 2", [5]), ("mixed[*] == 1", [5, 6]), ("ALL mixed[*] == 2", [1, 2, 3, 4]),
    ("mixed['a'] == 1", [6]), ("mixed.a == 1", [6]), ("mixed.b[0] == 2", [6]),
    ("mixed['b'][*] == 'x'", [6]), ("mixed.b[LAST].c == 2.5", [6]), ("mixed[*][*].c == 2.5", [6]),
    ("mixed.@type IN {'numeric', 'string'}", [1, 2, 3]),
    ("mixed.@type IN {'collection', 'link'}", [4, 5, 6]),
    ("mixed.@type != ALL {'numeric', 'list'}", [2, 4, 6]),
    ("mixed.@keys == 'b'", [6]), ("mixed.@values == 1", [5, 6]), ("mixed.@count == 3", [5]),
    ("mixed.@size == 2", [6]), ("mixed == {1, 2, 'z'}", [5]), ("mixed == {1, 2}", []),
    ("mixed < {2, 3, 'zz'}", [2, 5]), ("mixed == $nested", [6]), ("mixed == $nested.a", []),
    ("$nested.b[0] == 2", [1, 2, 3, 4, 5, 6]), ("$nested.@keys == 'a'", [1, 2, 3, 4, 5, 6]),
    ("mixed == size", []), ("mixed > size", [1, 3]), ("mixed + 1 == 4", [1, 3]),
    ("mixed.@sum == 3", [5]), ("mixed.dates[0] == T5:0", [4]), ("mixed.dates.@count == 2", [4]),
    ("mixed.boxes[*].size == 1", [4]), ("things == 0.1", [1]), ("things == 2.5", [1]),
    ("things.@sum == 3.7", [1]), ("things.@avg == 0.925", [1]), ("things.@min == 0.1", [1]),
    ("things.@max == 2.5", [1]), ("things.@count == 4", [2]), ("things == nil", [1]),
    ("ANY things == 'b'", [2]), ("things BEGINSWITH 'a'", []),
    ("things BEGINSWITH binary('YQ==')", [2]),
    ("NONE things == 'b'", [1, 3, 4, 5, 6]),
    ("things[0][0] == 7", [3]), ("things[1].k == 7", [3]), ("things[*].k == 7", [3]),
    ("things[*][0] == 7", [3]), ("things.name == 'king'", [3]), ("things[2].name == 'king'", [3]),
    ("things == {nil, 1, 0.1, 2.5, 0.1}", []), ("true IN things", [2]), ("code == 1", [1, 2]),
    ("code == '1'", [3]), ("code == binary('MQ==')", [4]), ("code == true", [5]),
    ("code == nil", [6]),
    ("code IN {1, true}", [1, 2, 5]),
  ]

  @Test(arguments: anys)
  func `values of any type`(text: String, rows: [Int]) throws {
    #expect(try Cabinet().rows(text) == [rows])
  }

  static let types: [(String, [Int])] = [
    ("mixed.@type == 'int'", [1]), ("mixed.@type == 'String'", [2]),
    ("mixed.@type == 'double'", [3]),
    ("mixed.@type == 'numeric'", [1, 3]), ("mixed.@type != 'numeric'", [2, 4, 5, 6]),
    ("mixed.@type == 'ObjectLink'", [4]), ("mixed.@type == 'link'", [4]),
    ("mixed.@type == 'array'", [5]), ("mixed.@type == 'dictionary'", [6]),
    ("mixed.@type IN {'int', 'list'}", [1, 5]), ("'int' == mixed.@type", [1]),
    ("mixed.@type != NONE {'int'}", [1]), ("mixed.@type == code.@type", [1]),
    ("things.@type == 'binary'", [2]), ("things.@type == 'decimal'", [1]),
    ("things.@type == 'null'", [1]), ("ALL things.@type == 'numeric'", [4, 5, 6]),
    ("mixed.@type == card.@type", [4]), ("mixed.@type == size.@type", [1]),
    ("ANY things.@type == levels.@type", [1]),
    ("ANY card.boxes.mixed.@type == 'string'", [1, 2]), ("mixed.b.@type == 'list'", [6]),
    ("mixed[*].@type == 'string'", [5]), ("code.@type == 'bool'", [5]),
    ("notes.@type == 'double'", [2]), ("things[*].@type == 'map'", [3]),
  ]

  @Test(arguments: types)
  func `names of types`(text: String, rows: [Int]) throws {
    #expect(try Cabinet().rows(text) == [rows])
  }

  static let collections: [(String, [Int])] = [
    ("tags == 'b'", [1, 2]), ("'a' IN tags", [1]), ("tags CONTAINS 'a'", [1]),
    ("ALL tags == 'b'", [2, 3, 4, 5, 6]), ("tags == {'a', 'b'}", [1]), ("tags == {'b', 'a'}", []),
    ("tags.@count == 0", [3, 4, 5, 6]), ("tags[*] == 'a'", [1]), ("levels.@sum == 3", [1, 2]),
    ("levels.@max == 3", [2]), ("levels == nil", [1]), ("levels == {nil, 1, 2}", [1]),
    ("levels.@count == 3", [1]), ("levels[SIZE] == 1", [2]), ("cards.name == 'king'", [1]),
    ("cards == $ace", [1, 4]), ("cards.@count == 2", [1]),
    ("SUBQUERY(cards, $c, $c.worth > 1).@count == 1", [1]), ("scores == 3", [1]),
    ("scores['a'] == 1", [1]), ("scores[\"c d\"] == 3", [1]), ("scores.a == 2", [2]),
    ("scores['b'] == nil", [1, 2, 3, 4, 5, 6]), ("scores == nil", [1]),
    ("scores.@keys == 'b'", [1]),
    ("scores.@keys BEGINSWITH 'c'", [1]), ("'b' IN scores.@keys", [1]), ("scores.@values > 2", [1]),
    ("ALL scores.@keys == 'a'", [2, 3, 4, 5, 6]), ("NONE scores.@values == 1", [2, 3, 4, 5, 6]),
    ("scores.@count == 3", [1]), ("scores.@size == 1", [2]), ("scores.@sum == 4", [1]),
    ("scores.@min == 1", [1]), ("scores.@avg == 2", [1, 2]), ("scores.@max == 3", [1]),
    ("scores.@keys == {'a', 'b', 'c d'}", [1]), ("scores.@keys.@count == 1", [2]),
    ("scores.a + 1 == 3", [2]), ("scores[*] == 2", [2]), ("byName['x'].name == 'ace'", [1]),
    ("byName.x.worth > 1", [2]), ("byName.y == nil", [1, 2, 3, 4, 5, 6]), ("byName == nil", [1]),
    ("byName.@values.name == 'king'", [2]), ("byName[*].name == 'king'", [2]),
    ("byName.x.next == nil", [2, 3, 4, 5, 6]), ("byName.x == $ace", [1]), ("byName == $ace", [1]),
    ("SUBQUERY(byName, $c, $c.name == 'ace').@count == 1", [1]), ("notes['n'].a == 1", [1]),
    ("notes.n.b[1] == 'x'", [1]), ("notes['s'] == 'word'", [1]), ("notes.s == 4", [2]),
    ("notes.@max == 4", [2]), ("notes.@sum == 4.5", [2]), ("notes.d == 0.5", [2]),
    ("notes.s.@type == 'string'", [1]), ("notes.@keys == 'd'", [2]), ("notes.s.@count == 4", [1]),
    ("card.boxes.size == 1", [1, 2]),
    ("card.boxes.mixed[*].@sum == 0", [1, 2, 3, 4, 5, 6]),
    ("card.boxes.mixed.@max == '3'", [1, 2]),
    ("card.boxes.things[*].@keys.@count == 1", [3]), ("card.boxes.notes.@count == 2", [1, 2]),
    ("card.boxes.@count == 2", [1, 2]),
    ("card.shelves.tags == 'a'", [1, 2, 3]), ("$box.scores.a == size", [2]),
    ("card.@links.Box.cards.size == 3", [1, 2]), ("$box.scores['c d'] == size", [4]),
  ]

  @Test(arguments: collections)
  func `sets, maps and backlinks`(text: String, rows: [Int]) throws {
    #expect(try Cabinet().rows(text) == [rows])
  }

  static let cards: [(String, [Int])] = [
    ("boxes.size == 1", [1]), ("boxes.@count == 2", [1]), ("shelves.@count == 1", [2]),
    ("ALL boxes.size < 2", [1, 3]), ("boxes.@max.size == 2", [2]),
    ("boxes.card.name == 'ace'", [1]),
    ("SUBQUERY(boxes, $b, $b.tags == 'a').@count == 1", [1]), ("boxes == $box", [1]),
    ("@links.@count == 6", [1]), ("@links.@size == 5", [2]), ("@links.@count == 0", [3]),
    ("next.@links.@count == 5", [1]), ("@links.Box.byName.size == 1", [2]),
    ("dates.@max == T5:0", [1]), ("dates.@min < T2:0", [1]), ("boxes.scores.a == 2", [1]),
    ("boxes.scores.@keys == 'c d'", [1]), ("@links.Box.mixed.size == 3", [1]),
  ]

  @Test(arguments: cards)
  func `what links back`(text: String, rows: [Int]) throws {
    #expect(try Cabinet().rows(text, root: "Card") == [rows])
  }

  static let stages: [(String, [Int])] = [
    ("sort(price)", [6, 5, 1, 2, 3, 4]), ("sort(price desc)", [4, 3, 1, 2, 5, 6]),
    ("distinct(price)", [1, 3, 4, 5, 6]), ("sort(uid desc)", [3, 2, 1, 4, 5, 6]),
    ("sort(oid)", [3, 4, 5, 6, 1, 2]), ("sort(code)", [6, 5, 1, 2, 3, 4]),
    ("sort(code desc, size desc)", [4, 3, 2, 1, 5, 6]), ("distinct(code)", [1, 3, 4, 5, 6]),
    ("sort(mixed)", [1, 3, 2, 4, 5, 6]), ("sort(scores['a'] desc)", [2, 1, 3, 4, 5, 6]),
    ("sort(scores.a, size desc)", [6, 5, 4, 3, 1, 2]), ("distinct(scores.a)", [1, 2, 3]),
    ("sort(notes.s desc, size)", [1, 2, 3, 4, 5, 6]),
    ("sort(byName.x.name desc)", [2, 1, 3, 4, 5, 6]),
    ("sort(mixed[0] desc)", [5, 1, 2, 3, 4, 6]), ("sort(mixed.a desc) limit(1)", [6]),
    ("distinct(mixed.b[0])", [1, 6]), ("distinct(card, code)", [1, 3, 4, 5, 6]),
  ]

  @Test(arguments: stages)
  func `sorts and leaves out equals of every type`(text: String, rows: [Int]) throws {
    let cabinet = Cabinet()
    let query = try cabinet.query(text)
    #expect(query.rows(cabinet.store) == rows)
    #expect(query.count(cabinet.store) == rows.count)
  }

  @Test func `an equality on an indexed identifier asks the index`() throws {
    let cabinet = Cabinet()
    #expect(try cabinet.query("where uid == $id").rows(cabinet.store) == [3])
    #expect(cabinet.store.lookups == 1)
    #expect(try cabinet.query("where code == 1 and size == 1").rows(cabinet.store) == [2])
    #expect(cabinet.store.lookups == 5)
    #expect(try cabinet.query("where uid == nil").rows(cabinet.store) == [4, 5, 6])
    #expect(cabinet.store.lookups == 6)
  }

  static let faults: [(String, String)] = [
    ("where uid == 'x'", "cannot compare 'uid' (uuid) with \"x\" (string) | 'x'"),
    ("where uid == uuid('x')", "'x' is not a uuid | 'x'"),
    ("where oid == oid(12)", "'12' is not an objectid | 12"),
    ("where oid == oid()", "expected an objectid, found ')' | )"),
    ("where price == 'x'", "cannot compare 'price' (decimal) with \"x\" (string) | 'x'"),
    ("where tags[0] == 'x'", "'tags' is set<string>, which cannot be indexed | tags"),
    ("where scores[0] == 1", "'scores' is map<int?>, which cannot be indexed | scores"),
    ("where tags['a'] == 'x'", "'tags' is set<string>, not a map | tags"),
    ("where size.@keys == 'x'", "'size' is int, not a map | size"),
    ("where scores.@keys > 3", "cannot compare 'scores.@keys' (of string) with 3 (int) | 3"),
    ("where ANY scores.a == 3", "ANY needs a collection; 'scores.a' is int | ANY scores.a"),
    (
      "where byName.x.nmae == 3", "class 'Card' has no property 'nmae'; did you mean 'name'? | nmae"
    ),
    ("where mixed - 'x' == 3", "arithmetic needs numbers; \"x\" is string | 'x'"),
    (
      "where mixed > $ace",
      "objects can only be compared with == and !=; '>' cannot be applied to '$ace' (Card) | >"
    ),
    ("where mixed.@type == 'itn'", "'itn' is not the name of a type; did you mean 'int'? | 'itn'"),
    ("where mixed.@type == 3", "@type needs the name of a type in quotes; 3 is not one | 3"),
    (
      "where mixed.@type == text",
      "@type needs the name of a type in quotes; 'text' (string) is not one | text"
    ),
    ("where mixed.@type > 'int'", "types can only be compared with ==, != and IN, not > | >"),
    ("where card.@links > 3", "expected '.' and a class, found '>' | >"),
    (
      "where card.@links.@max > 3",
      "@links needs a class and a property, or @count, after it | @links"
    ),
    ("where tags.@sum > 3", "@sum needs numbers; 'tags' is set<string> | @sum"),
    ("where size == 1e9999", "the number 1e9999 is too large | 1e9999"),
    (
      "sort(scores)",
      "'scores' is a collection; sort and distinct follow single links only | scores"
    ),
    (
      "sort(scores.@keys)",
      "'scores' is a collection; sort and distinct follow single links only | scores"
    ),
    ("sort(mixed[*])", "'[*]' is a collection; sort and distinct follow single links only | [*]"),
    ("sort(byName.x)", "cannot sort by 'byName.x', which is a link to Card | byName.x"),
  ]

  @Test(arguments: faults)
  func `reports what is wrong, and where`(text: String, fault: String) {
    #expect(Cabinet().fault(text) == fault)
  }

  static let dependencies: [(String, [String])] = [
    ("scores['a'] == 1", ["scores"]), ("byName.x.name == 'x'", ["byName.name"]),
    ("scores.@keys == 'x'", ["scores"]), ("card.boxes.size == 1", ["card.<Box.card.size"]),
    ("card.boxes.@count == 1", ["card.<Box.card"]), ("mixed[0].a == 1", ["mixed"]),
    ("mixed.name == 1", ["mixed", "mixed.name"]), ("mixed.@type == 'int'", ["mixed"]),
    ("mixed.next.name == 1", ["mixed", "mixed.next", "mixed.next.name", "mixed.name"]),
    (
      "mixed.boxes[0].size == 1",
      ["mixed", "mixed.<Box.card", "mixed.<Box.card.size", "mixed.size"]
    ),
    ("things.@sum > 1", ["things"]), ("tags.@count > 1", ["tags"]),
    ("price + size > 1", ["price", "size"]),
  ]

  @Test(arguments: dependencies)
  func `names every path that is read`(text: String, paths: [String]) throws {
    let query = try Cabinet().query("where " + text)
    let printed = query.predicate.dependencies.map { path in
      path.steps.map { step in
        switch step.kind {
        case .property(let id):
          return Cabinet.schema.classSchema(step.classID)!.property(id)!.name
        case .backlinks(let origin, let property):
          let origin = Cabinet.schema.classSchema(origin)!
          return "<\(origin.name).\(origin.property(property)!.name)"
        }
      }.joined(separator: ".")
    }
    #expect(Set(printed) == Set(paths))
    #expect(printed.count == Set(printed).count)
  }

  @Test func `types are ordered as in the language`() {
    let card = ObjectID(ClassID(2), 1)
    let ordered: [[Value]] = [
      [.null], [.bool(false)], [.bool(true)], [.double(.nan), .decimal(.nan)],
      [.double(-.infinity), .decimal(-.infinity)],
      [.int(-1), .float(-1), .decimal(Decimal128(-1))],
      [.decimal(Decimal128("0.1")!), .double(0.1)],
      [.decimal(Decimal128("0.10000000000000000555")!)], [.float(0.1)],
      [.int(1), .double(1), .decimal(Decimal128("1.00")!)],
      // Of the doubles above 2^53 that are ints, the exact values count.
      [.int(1 << 62 + 1024), .double(0x1p62 + 1024), .decimal(Decimal128(1 << 62 + 1024))],
      [.int(1 << 62 + 1050)], [.decimal(Decimal128("\(1 << 62 + 1076)")!)],
      [.double(1e23), .decimal(Decimal128("1E23")!)], [.double(.infinity)], [.string("")],
      [.string("a")], [.data([])], [.data([0])], [.date(Timestamp(seconds: 0))],
      [.objectID(DocumentID(bits: (0, 1)))], [.uuid(UniqueID(bits: (0, 1)))], [.link(card)],
      [.list([])], [.list([.int(1)]), .list([.double(1)])], [.list([.int(1), .null])],
      [.list([.int(2)])], [.map([:])], [.map(["a": .int(1)])], [.map(["a": .int(2)])],
      [.map(["b": .null])],
    ]
    for (place, group) in ordered.enumerated() {
      for (other, others) in ordered.enumerated() {
        for a in group {
          for b in others {
            let order = Value.order(a, b).signum()
            #expect(order == (place - other).signum(), "\(a) and \(b)")
            #expect((a.groupKey == b.groupKey) == (order == 0), "\(a) and \(b)")
          }
        }
      }
    }
  }
}
