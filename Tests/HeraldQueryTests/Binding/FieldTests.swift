import HeraldModel
import HeraldQuery
import Testing

@testable import TestModel

/// Answers that the field's own query language gives, over the data of its tests.
@Suite struct FieldTests {
  static let purchases: [(String, String, Int)] = [
    ("Person", "items.@sum.price_decimal == 25.5", 2),
    ("Person", "items.@min.price_decimal == 4.0", 1),
    ("Person", "items.@max.price_decimal == 9.5", 2),
    ("Person", "items.@avg.price_decimal == 6.375", 1),
    ("Person", "items.@sum.price_decimal > account_balance_decimal", 2),
    ("Person", "items.@min.price_decimal > account_balance_decimal", 0),
    ("Person", "items.@max.price_decimal > account_balance_decimal", 0),
    ("Person", "items.@avg.price_decimal > account_balance_decimal", 0),
  ]

  @Test(arguments: purchases)
  func `aggregates of decimals`(root: String, text: String, count: Int) throws {
    try expect(Shop(), root, text, count)
  }

  static let owners: [(String, String, Int)] = [
    ("Items", "@links.Person.fav_item.account_balance > 20", 1),
    ("Items", "@links.Person.items.account_balance > 20", 2),
    ("Items", "@links.Person.items.name LIKE[c] 'j*'", 3),
    ("Items", "@links.Person.items.name BEGINSWITH 'J'", 3),
    ("Items", "@links.Person.items.@count > 2", 2),
    ("Items", "@links.Person.items.@size > 2", 2),
    ("Items", "@links.Person.items.@min.account_balance <= 10", 4),
    ("Items", "@links.Person.items.@max.account_balance > 10", 3),
    ("Items", "@links.Person.items.@sum.account_balance > 20", 3),
    ("Items", "@links.Person.items.@avg.account_balance > 20", 1),
    ("Items", "SUBQUERY(@links.Person.items, $x, $x.account_balance >= 20).@count > 2", 1),
    ("Person", "fav_item.@links.Person.fav_item.@count > 1", 0),
    ("Person", "fav_item.@links.Person.items.@count > 1", 2),
    ("Items", "@links.Person.items.@max.account_balance >= 20", 3),
  ]

  @Test(arguments: owners)
  func `what links back`(root: String, text: String, count: Int) throws {
    try expect(Shop(), root, text, count)
  }

  static let lists: [(String, String, Int)] = [
    ("Row", "elems.@sum > 0", 3),
    ("Row", "elems.@sum == 0", 4),
    ("Row", "elems.@sum == 3", 1),
    ("Row", "elems.@sum == 10.9", 1),
    ("Row", "elems.@sum == 7.2", 1),
    ("Row", "elems.@avg == 1", 1),
    ("Row", "elems.@avg == 2.725", 1),
    ("Row", "elems.@avg == 2.4", 1),
    ("Row", "elems.@min == 1", 1),
    ("Row", "elems.@max == 2", 1),
    ("Row", "elems.@max == 4.4", 1),
  ]

  @Test(arguments: lists)
  func `aggregates of lists of any`(root: String, text: String, count: Int) throws {
    try expect(Mixture(), root, text, count)
  }

  static let types: [(String, String, Int)] = [
    ("Foo", "mixed.@type == mixed.@type", 100),
    ("Origin", "link.mixed.@type == 'numeric' || link.mixed.@type == 'string'", 10),
    ("Origin", "links.mixed.@type == 'numeric' || links.mixed.@type == 'string'", 10),
    ("Origin", "ANY links.mixed.@type IN ANY {'numeric', 'string'}", 10),
    ("Foo", "mixed > 50", 37),
    ("Foo", "mixed > 50 && mixed.@type == 'double'", 1),
    ("Foo", "mixed > 50 && mixed.@type != 'double'", 36),
    ("Foo", "mixed > 50 && mixed.@type == 'int'", 36),
    ("Origin", "links.mixed > 0", 10),
    ("Origin", "links.mixed.@type == 'double'", 3),
    ("Origin", "links.mixed > 0 && links.mixed.@type == 'double'", 3),
    (
      "Origin", "SUBQUERY(links, $x, $x.mixed.@type == 'double' && $x.mixed == $x.num).@count > 0",
      1
    ),
  ]

  @Test(arguments: types)
  func `types of values`(root: String, text: String, count: Int) throws {
    try expect(Mixture(), root, text, count)
  }

  static let sets: [(String, String, Int)] = [
    ("Row", "items.@count == 0", 1),
    ("Row", "items.@size >= 1", 4),
    ("Row", "items.@size == 4", 1),
    ("Row", "items == 3.0", 2),
    ("Row", "3.0 IN items", 2),
    ("Row", "ALL items == 3.0", 2),
    ("Row", "NONE items == 3.0", 3),
    ("Row", "items == single", 2),
    ("Row", "ANY items == single", 2),
    ("Row", "ALL items == single", 2),
    ("Row", "NONE items == single", 3),
    ("Row", "items == 3", 2),
    ("Row", "items.@max == 100", 1),
    ("Row", "items.@min == 0", 1),
    ("Row", "items.@avg == 3", 1),
    ("Row", "items.@avg >= 3", 3),
    ("Row", "items.@sum == 1", 1),
    ("Row", "items.@sum == 0", 1),
    ("Row", "items.@sum > 100", 1),
    ("Row", "items.@max == single", 1),
    ("Row", "items.@min == single", 1),
    ("Row", "items.@avg == single", 1),
    ("Row", "items.@sum == single", 1),
  ]

  @Test(arguments: sets)
  func `sets of doubles`(root: String, text: String, count: Int) throws {
    try expect(Mixture(), root == "Row" ? "Levels" : root, text, count)
  }

  private func expect(
    _ world: some FieldStore, _ root: String, _ text: String, _ count: Int
  ) throws {
    let schema = world.store.schema
    let (tail, _) = try QueryParser.parseTail(Array("where \(text)".utf8), from: 0)
    let query = try BoundQuery.bind(
      tail, root: schema.classSchema(named: root)!.id, schema: schema, names: NoNames())
    #expect(query.count(world.store) == count)
  }
}
