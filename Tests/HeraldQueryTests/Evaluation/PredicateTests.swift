import HeraldModel
import HeraldQuery
import Testing

@testable import TestModel

@Suite struct PredicateTests {
  static let comparisons: [(String, [Int])] = [
    ("age > 5", [2, 3]), ("age >= 7", [2, 3]), ("age => 7", [2, 3]), ("age < 5", [1, 5]),
    ("age <= 4", [1, 5]), ("age =< 4", [1, 5]), ("age == 7", [2, 3]), ("age = 7", [2, 3]),
    ("age != 7", [1, 4, 5]), ("age <> 7", [1, 4, 5]), ("7 < age", []), ("5 < age", [2, 3]),
    ("age == nil", [4]), ("age != NULL", [1, 2, 3, 5]), ("nil == age", [4]), ("age > nil", []),
    ("age <= nil", []), ("age > 6.5", [2, 3]), ("age == 7.0", [2, 3]), ("age == 6.5", []),
    ("age != 6.5", [1, 2, 3, 4, 5]), ("weight >= -inf", [1, 2, 3, 4, 5]),
    ("age < 1e300", [1, 2, 3, 5]),
    ("weight > nan", []), ("weight != -NaN", [1, 2, 3, 4, 5]),
    ("age == 0x4", [1]), ("weight == 0.1f", [1]), ("weight == 0.1", [1]),
    ("weight > 0.1", [2, 3]), ("weight <= 0.1", [1, 4, 5]), ("weight == 20", [3]),
    ("height == 30", [1]), ("height == nil", [2, 4]), ("height < 7.5", [3, 5]),
    ("isGood == true", [1, 2]), ("isGood = true", [1, 2]), ("isGood != TRUE", [3, 4, 5]),
    ("born > 2018-01-01@00:00:00", [1]), ("born == T1588334400:0", [1]),
    ("born == \"2020-05-01T12:00:00Z\"", [1]), ("born == 2017-1-31@0:0:0.5", [2]),
    ("born == 2017-01-31@00:00:00:500000000", [2]), ("born < '2020-05-01T14:00:00+02:00'", [2]),
    ("chip == binary('AQID')", [1]), ("chip == nil", [2, 3, 4]),
    ("chip BEGINSWITH binary('AQ==')", [1]),
    ("name == 'Max'", [1]), ("name < 'J'", [2, 5]), ("name >= 'Zo'", [3, 4]),
    ("name == 'Zoe\\u0308'", []), ("name == 'Zo\\u00eb'", [4]), ("name ==[c] 'ZOË'", [4]),
    ("name !=[c] 'REX'", [1, 2, 4, 5]), ("$n == age", [1]), ("age == $nothing", [4]),
    ("breed == $word", [1, 3]), ("0 = 0", [1, 2, 3, 4, 5]), ("'a' > 'b'", []),
  ]

  @Test(arguments: comparisons)
  func `compares a property with a constant`(text: String, rows: [Int]) throws {
    try expect(text, rows)
  }

  static let texts: [(String, [Int])] = [
    ("name BEGINSWITH 'M'", [1]), ("name beginswith[c] 'R'", [3]), ("name ENDSWITH 'x'", [1, 3]),
    ("name CONTAINS 'o'", [4, 5]), ("name CONTAINS[C] 'A'", [1, 2]), ("name LIKE '?a?'", [1]),
    ("name LIKE '*x'", [1, 3]), ("name LIKE 'Zo?'", [4]), ("name LIKE[c] 'zOË'", [4]),
    ("name LIKE '*'", [1, 2, 3, 4, 5]), ("name LIKE ''", []), ("nick LIKE 'Z\\\\*'", [4]),
    ("nick LIKE 'Z?'", [4]), ("nick CONTAINS nil", [1, 2, 3, 4, 5]), ("nick LIKE nil", [2, 3, 5]),
    ("nick CONTAINS ''", [1, 4]), ("nick BEGINSWITH 'M'", [1]),
    ("NOT nick BEGINSWITH 'M'", [2, 3, 4, 5]),
    ("nick BEGINSWITH name", [1]), ("'Maximum' BEGINSWITH name", [1]),
    ("name CONTAINS nick", [2, 3, 5]),
    ("chip CONTAINS binary('Ag==')", [1]), ("name BEGINSWITH ''", [1, 2, 3, 4, 5]),
    ("name ENDSWITH 'longer than it'", []), ("name LIKE '*a*i*'", []), ("nick LIKE '*a*i*'", [1]),
  ]

  @Test(arguments: texts)
  func `searches in strings`(text: String, rows: [Int]) throws { try expect(text, rows) }

  static let compounds: [(String, [Int])] = [
    ("TRUEPREDICATE", [1, 2, 3, 4, 5]), ("falsepredicate", []), ("NOT TRUEPREDICATE", []),
    ("age > 5 AND isGood == true", [2]), ("age > 5 && isGood == true || name == 'Bo'", [2, 5]),
    ("age > 5 AND (isGood == true OR name == 'rex')", [2, 3]),
    ("NOT age > 5 AND isGood == true", [1]),
    ("!(age > 5) and isGood == true", [1]), ("NOT (age > 5 OR isGood == true)", [4, 5]),
    ("!!age == 4", [1]), ("((age == 4))", [1]), ("(age) == (4)", [1]),
    ("age > 5 or truepredicate", [1, 2, 3, 4, 5]),
    ("name == 'Bo' or name == 'Max' and age == 4", [1, 5]), ("age == 4 or age == 4", [1]),
    ("(\n age > 5\n and # a comment\n isGood == true)", [2]), ("age IN {4, -1}", [1, 5]),
    ("age IN [4, nil]", [1, 4]), ("age IN {}", []), ("age IN $ages", [1, 2, 3]),
    ("NOT age IN {4, 7}", [4, 5]),
    ("name IN {'Max', 'Bo', 'none'}", [1, 5]), ("name IN[c] {'MAX', 'REX'}", [1, 3]),
    ("height IN {30, 7.0}", [1, 3]), ("age IN {4.0, 4.5}", [1]),
    ("born IN {2020-05-01@12:00:00}", [1]),
    ("age BETWEEN {4, 7}", [1, 2, 3]), ("age BETWEEN [5, 6.9]", []),
    ("age BETWEEN $ages", [1, 2, 3]),
    ("height between {-1, 7}", [3, 5]), ("name BETWEEN {'I', 'M'}", [2]),
    ("age BETWEEN {nil, 7}", []), ("age == ANY {4, 7}", [1, 2, 3]), ("age != ALL {4, 7}", [4, 5]),
    ("age != NONE {4, 7}", []), ("age != NONE {4}", [1]), ("age != ANY {}", []),
    ("age != ALL {}", [1, 2, 3, 4, 5]),
    ("age > ALL {3, 4}", [2, 3]), ("{4, 7} == age", [1, 2, 3]), ("age == {4, 7}", [1, 2, 3]),
    ("5 IN {5}", [1, 2, 3, 4, 5]), ("age + 1 == 5", [1]), ("age * 2 > height", [3]),
    ("2 + 3 * 2 == 8", [1, 2, 3, 4, 5]), ("(2 + 3) * 2 == 10", [1, 2, 3, 4, 5]),
    ("7 / 2 == 3", [1, 2, 3, 4, 5]),
    ("1 / 0 == inf", [1, 2, 3, 4, 5]), ("age - 4 == 0", [1]), ("age == height", [3, 4, 5]),
    ("name == nick", []),
    ("age / 2 == 3", [2, 3]), ("age + 1 == nil", [4]), ("age+1>7", [2, 3]),
  ]

  @Test(arguments: compounds)
  func `combines conditions`(text: String, rows: [Int]) throws { try expect(text, rows) }

  static let spans: [(String, [Int])] = [
    ("age > -2 and age > 4 and age >= 0", [2, 3]), ("age < 7 and age <= 7 and age > -1", [1]),
    ("height > 7 and height >= 7", [1]), ("height >= 7 and height > 7 and height > 6", [1]),
    ("height <= 7 and height < 7", [5]), ("height < 30 and height > -1 and height < 31", [3]),
    ("height == 7 and height < 30", [3]), ("height == 7 and height < 7", []),
    ("height > 6 and height > nan", []), ("height < nan and height > 6", []),
    ("height > nan and height < 100 and height > 6 and height > 7", []),
    ("height > 7 and height < 7", []), ("height >= 7 and height <= 7", [3]),
    ("name > 'Bo' and name >= 'Bo'", [1, 2, 3, 4]), ("name >= 'Bo' and name > 'Ida'", [1, 3, 4]),
    ("name < 'Max' and name <= 'Max'", [2, 5]), ("name <= 'Max' and name < 'Zo'", [1, 2, 5]),
    ("name < 'Zo' and name > 'Bo' and name > 'C' and name <= 'Max'", [1, 2]),
    ("name > 'M' and name < 'J'", []), ("chip >= binary('') and chip > binary('')", [1]),
    (
      """
      born > 2017-01-31@00:00:00 and born >= 2017-01-31@00:00:00 \
      and born <= 2020-05-01@12:00:00 and born < 2020-05-01@12:00:00
      """, [2]
    ),
    ("age > 0 and height > 7 and age < 7 and height > 8", [1]),
  ]

  @Test(arguments: spans)
  func `joins the bounds of a column`(text: String, rows: [Int]) throws {
    try expect(text, rows)
  }

  static let paths: [(String, [Int])] = [
    ("owner.name == 'Ann'", [1, 2]), ("owner.name != 'Ann'", [3, 4, 5]), ("owner == nil", [4]),
    ("owner != nil", [1, 2, 3, 5]), ("owner.age == nil", [4]),
    ("owner.friend.name == 'Ann'", [3, 5]),
    ("owner == $ann", [1, 2]), ("owner != $ann", [3, 4, 5]), ("owner == Person#'Bob'", [3, 5]),
    ("owner IN {$ann}", [1, 2]), ("$max == $max", [1, 2, 3, 4, 5]), ("age == $max.age", [1]),
    ("age > $max.owner.dogs.@count", [1, 2, 3]), ("age == Dog#2.age", [2, 3]),
    ("age > owner.age", []),
    ("toys.price > 5", [1, 2]), ("ANY toys.price < 5", [1]), ("ALL toys.price > 5", [2, 3, 4, 5]),
    ("NONE toys.price < 5", [2, 3, 4, 5]), ("SOME toys.name == 'ball'", [1]),
    ("toys.@count == 2", [1, 2]),
    ("toys.@size > 0", [1, 2]), ("toys[SIZE] == 0", [3, 4, 5]), ("toys[0].name == 'bone'", [2]),
    ("toys[FIRST].price == 2.5", [1]), ("toys[LAST].name == 'bone'", [1, 2]),
    ("toys[7].name == nil", [1, 2, 3, 4, 5]),
    ("toys[*].price > 5", [1, 2]), ("tags == 'small'", [2]), ("tags CONTAINS 'b'", [1]),
    ("'big' IN tags", [1]), ("NONE tags BEGINSWITH 'b'", [2, 3, 4, 5]),
    ("tags == {'big', 'brown'}", [1]),
    ("tags == {'brown', 'big'}", []), ("tags != {'small'}", [1, 3, 4, 5]),
    ("tags == {}", [3, 4, 5]), ("scores == nil", [2, 4]), ("scores > 4", [4]),
    ("ALL scores > 4", [3, 5]),
    ("scores == scores", [1, 2, 3, 4, 5]), ("scores.@sum == 3", [1]),
    ("scores.@sum == 0", [2, 3, 5]),
    ("scores.@min == 5", [4]), ("scores.@max == nil", [2, 3, 5]), ("scores.@avg == 1.5", [1]),
    ("toys.@sum.price == 18", [2]), ("toys.@min.price == 2.5", [1]),
    ("toys.@avg.price > 5", [1, 2]),
    ("toys.price.@max == 9", [1, 2]), ("owner.dogs.@count == 3", [1, 2]),
    ("owner.dogs.name == 'Ida'", [1, 2]),
    ("owner.dogs.tags == 'small'", [1, 2]), ("owner.dogs.scores.@count == 1", [1, 2]),
    ("owner.dogs.toys.@count == 2", [1, 2]), ("owner.dogs.toys.@count == 6", []),
    ("ALL owner.dogs.toys.@count == 0", [3, 4, 5]),
    ("NONE owner.dogs.toys.@count == 2", [3, 4, 5]),
    ("ANY owner.dogs.toys.@count > 1", [1, 2]), ("ALL owner.dogs.age > 3", [1, 2, 4]),
    ("ANY owner.dogs.age BETWEEN {5, 6}", []), ("owner.dogs.age == nil", []),
    ("@links.Person.dogs.name == 'Ann'", [1, 2]), ("@links.Person.dogs.@count == 2", [1]),
    ("@links.Person.dogs.@count == 0", [4]), ("@links.Person.dogs.@sum.age == 80", [1]),
    ("owner.@links.Dog.owner.name == 'rex'", [3, 5]), ("@links.Person.dogs == $ann", [1, 2]),
    ("SUBQUERY(toys, $t, $t.price > 5).@count == 2", [2]),
    ("SUBQUERY(toys, $t, $t.price > 5 and $t.name == 'bone').@count > 0", [1, 2]),
    (
      "SUBQUERY(owner.dogs, $d, SUBQUERY($d.toys, $t, $t.price > $d.age).@count > 0).@count > 0",
      [1, 2]
    ),
    ("SUBQUERY(toys, $t, price > 100).@count == 0", [1, 2, 3, 4, 5]), ("name.@count == 4", [4]),
    ("nick.@size == nil", [2, 3, 5]), ("owner.@count == 0", [4]),
    ("ANY toys.price > ALL scores", [1]),
    ("scores + 1 == 3", [1]), ("$some.age == age", [2, 3, 4]),
    ("$some.@count == 2", [1, 2, 3, 4, 5]),
    ("$some[0].name == name", [4]), ("$none.@count == 0", [1, 2, 3, 4, 5]),
    ("$max IN owner.dogs", [1, 2]),
    ("$ages.@count == 2", [1, 2, 3, 4, 5]), ("age == $ages[0]", [1]),
    ("owner.dogs == $max", [1, 2]),
  ]

  @Test(arguments: paths)
  func `follows paths`(text: String, rows: [Int]) throws { try expect(text, rows) }

  static let keywords: [(String, String)] = [
    ("contains contains 'contains'", "contains CONTAINS \"contains\""),
    ("NOT != 'x'", "NOT != \"x\""),
    ("and == or", "and == or"), ("not-1=1", "NOT (-1 == 1)"), ("NOT0.a=0", "NOT0.a == 0"),
    ("AND == 'AND' AND OR == 'OR'", "AND == \"AND\" AND OR == \"OR\""),
    ("truepredicates = falsepredicates", "truepredicates == falsepredicates"),
    ("0!=[c]0", "0 !=[c] 0"), ("a == [c] b", "a ==[c] b"), ("10. = -.034", "10.0 == -0.034"),
    ("'\\uffFf' = '\\u0020'", "\"\u{FFFF}\" == \" \""), ("a=1AND NOTb=2", "a == 1 AND NOTb == 2"),
    ("limit == 3", "limit == 3"), ("sort == distinct", "sort == distinct"),
    ("any == all", "any == all"), ("NOT contains == 3", "NOT (contains == 3)"),
    ("NOT in != in", "NOT (in != in)"), ("NOT contains 'x'", "NOT CONTAINS \"x\""),
    ("NOT in IN {1, 2}", "NOT (in IN {1, 2})"),
    ("NOT like LIKE 'a' AND b = 1", "NOT (like LIKE \"a\") AND b == 1"),
    ("ANY contains CONTAINS 'x'", "ANY contains CONTAINS \"x\""), ("NOT IN in", "NOT IN in"),
    ("not between between {-1, 1}", "NOT (between BETWEEN {-1, 1})"),
  ]

  @Test(arguments: keywords)
  func `reads words by their context`(text: String, printed: String) throws {
    let (predicate, end) = try QueryParser.parsePredicate(Array(text.utf8), from: 0)
    #expect(predicate.description == printed)
    #expect(end == text.utf8.count)
  }

  /// The rows by every way there is: by blocks, one by one, with variables frozen, as a collection.
  private func expect(_ text: String, _ rows: [Int]) throws {
    let kennel = KennelStore()
    let query = try kennel.query("where " + text)
    #expect(query.rows(kennel.store) == rows, "\(text)")
    #expect(query.count(kennel.store) == rows.count, "\(text)")
    let all = [5, 4, 3, 2, 1, 1]
    #expect(
      query.rows(among: all, kennel.store) == all.filter { rows.contains($0) }, "\(text)")
    let frozen = try kennel.query("where " + text, isFrozen: true)
    #expect(frozen.rows(kennel.store) == rows, "\(text)")
    let printed = try QueryParser.parsePredicate(Array(text.utf8), from: 0).predicate
      .description
    #expect(try kennel.rows("where " + printed) == rows, "\(text) printed as \(printed)")
  }
}
