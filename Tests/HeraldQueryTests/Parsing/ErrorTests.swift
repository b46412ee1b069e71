import HeraldModel
import HeraldQuery
import Testing

@Suite struct ErrorTests {
  static let faults: [(String, String)] = [
    ("where nmae == 'x'", "class 'Dog' has no property 'nmae'; did you mean 'name'? | nmae"),
    ("where owner.agee > 3", "class 'Person' has no property 'agee'; did you mean 'age'? | agee"),
    ("where toys[$max] == nil", "'$max' is neither an index nor a key | [$max]"),
    ("where scores[$nobody] == 1", "unknown variable '$nobody' | [$nobody]"),
    ("where age.x == 3", "'age' is int?, not a link: 'x' cannot follow it | age"),
    ("where age == 'x'", "cannot compare 'age' (int) with \"x\" (string) | 'x'"),
    ("where 'x' == age", "cannot compare \"x\" (string) with 'age' (int) | 'x'"),
    ("where name == 3", "cannot compare 'name' (string) with 3 (int) | 3"),
    ("where name == age", "cannot compare 'name' (string) with 'age' (int) | age"),
    ("where owner == 3", "cannot compare 'owner' (Person) with 3 (int) | 3"),
    ("where owner == $max", "cannot compare 'owner' (Person) with '$max' (Dog) | $max"),
    (
      "where owner > $ann",
      "objects can only be compared with == and !=; '>' cannot be applied to 'owner' (Person) | >"
    ),
    ("where isGood == 2", "cannot compare 'isGood' (bool) with 2 (int) | 2"),
    ("where isGood == 1", "cannot compare 'isGood' (bool) with 1 (int) | 1"),
    ("where born == 'noon'", "'noon' is not a date and time | 'noon'"),
    (
      "where born > 2020-5-01",
      "'2020-5-01' is not a date and time; month and day have two digits: 2020-05-01 | 2020-5-01"
    ),
    (
      "where born > 2020-13-01@10:00:00",
      "'2020-13-01@10:00:00' is not a date and time | 2020-13-01@10:00:00"
    ),
    ("where age CONTAINS 'x'", "CONTAINS needs strings; 'age' (int) is not one | age"),
    ("where name LIKE 3", "LIKE needs strings; 3 (int) is not one | 3"),
    ("where ANY age > 3", "ANY needs a collection; 'age' is int | ANY age"),
    ("where age.@count > 3", "'age' is int?, not a collection | age"),
    ("where age[0] == 3", "'age' is int?, not a collection | age"),
    ("where toys == nil", "'toys' is a collection, which is never nil | nil"),
    (
      "where toys.@sum > 3",
      "@sum of objects needs one of their properties: 'toys.@sum.PROPERTY' | @sum"
    ),
    ("where toys.@median.name > 3", "@median needs numbers; 'toys.name' is string | name"),
    (
      "where scores.@max.x > 3",
      "@max needs a collection of objects before a property; 'scores' holds values | x"
    ),
    ("where age IN 3", "IN needs a list or a collection after it, as in {1, 5} | 3"),
    ("where age IN {3, name}", "a list holds literals and variables; 'name' is neither | name"),
    (
      "where age IN {'x', 'y'}",
      "cannot compare 'age' (int) with {\"x\", \"y\"} (of string) | {'x', 'y'}"
    ),
    (
      "where age BETWEEN {1, 'x'}",
      "cannot compare 'age' (int) with {1, \"x\"} (string) | {1, 'x'}"
    ),
    ("where age == inf", "cannot compare 'age' (int) with inf (double) | inf"),
    ("where -nan != age", "cannot compare nan (double) with 'age' (int) | -nan"),
    ("where age ==[c] 3", "==[c] needs strings; 'age' (int) is not one | age"),
    ("where age.@type == 'int'", "'age.@type' is the same for every object | age.@type"),
    (
      "where scores BETWEEN {1, 2}",
      "BETWEEN needs ALL before 'scores', which is a collection of values | scores"
    ),
    ("limit(0xFF)", "limit needs a whole number of 0 or more | 0xFF"),
    (
      "where SUBQUERY(owner.dogs, $t, SUBQUERY($t.toys, $t, $t.price > 1).@count > 0).@count > 0",
      "'$t' is the variable of an enclosing SUBQUERY | SUBQUERY($t.toys, $t, $t.price > 1).@count"
    ),
    ("where obj('Dog', 77) == owner", "there is no object Dog#77 | obj('Dog', 77)"),
    ("where owner == obj('Dog')", "expected ',', found ')' | )"),
    ("where owner == obj(Dog, 1)", "expected the name of a class in quotes, found 'Dog' | Dog"),
    ("where age BETWEEN {3}", "BETWEEN needs two values, as in {1, 5} | {3}"),
    ("where age BETWEEN 3", "BETWEEN needs a list or a collection after it, as in {1, 5} | 3"),
    ("where name + 1 == 3", "arithmetic needs numbers; 'name' is string | name"),
    ("where age * 'x' == 3", "arithmetic needs numbers; \"x\" is string | 'x'"),
    ("where age == $mx.age", "unknown variable '$mx'; did you mean '$max'? | $mx"),
    ("where age == Dog#9.age", "there is no object Dog#9 | Dog#9"),
    ("where age == Dgo#9.age", "unknown class 'Dgo'; did you mean 'Dog'? | Dgo#9"),
    ("where age == Cat#9.age", "class 'Cat' is not declared yet | Cat#9"),
    (
      "where @links.Persn.dogs.@count > 1",
      "unknown class 'Persn'; did you mean 'Person'? | @links.Persn.dogs"
    ),
    (
      "where @links.Person.friend.@count > 1",
      "'friend' of class 'Person' is Person, not a link to 'Dog' | @links.Person.friend"
    ),
    ("where", "expected a value or a property, found the end | "),
    ("where age", "expected an operator such as '==', found the end | "),
    ("where age liek 3", "'liek' is not an operator; did you mean 'LIKE'? | liek"),
    ("where age == ", "expected a value or a property, found the end | "),
    ("where age == 3 and", "expected a value or a property, found the end | "),
    ("where (age == 3", "expected ')', found the end | "),
    ("where ! =0", "expected a value or a property, found '=' | ="),
    ("where not.a=0", "expected a value or a property, found '.' | ."),
    ("where NOT", "expected a value or a property, found the end | "),
    ("where NOTNOT(age=age)", "there is no function 'NOTNOT' | ("),
    ("where age == 'x", "unterminated string | 'x"),
    ("where name == '\\q'", "'\\q' is not a valid escape sequence | \\q"),
    ("where name == '\\ud800'", "'\\ud800' is not a valid escape sequence | \\ud800"),
    ("where height == 1e9999", "the number 1e9999 is too large | 1e9999"),
    (
      "where age == 9223372036854775807 + 1",
      "the result is too large for an int | 9223372036854775807 + 1"
    ),
    ("where chip == binary('?')", "the text is not base64 | '?'"),
    ("where age == (name == 'x')", "expected a value, found a condition | name == 'x'"),
    (
      "where name.@foo == 3",
      "expected @count, @sum, @avg, @min, @max, @median, @percentile, @stddev, @distinct, @size, @keys, @values, @type or @links, "
        + "found '@foo' | @foo"
    ),
    (
      "where toys[x].name == 3",
      "expected an index, a key in quotes, a variable, FIRST, LAST, SIZE or *, found 'x' | x"
    ),
    (
      "where SUBQUERY(toys, $t, $t.price > 1) > 3",
      "expected '.@count' after SUBQUERY(…), found '>' | >"
    ),
    (
      "where SUBQUERY(owner, $t, $t.age > 1).@count > 3",
      "'owner' is Person, not a collection | owner"
    ),
    (
      "where SUBQUERY(toys, $t, $t.prise > 1).@count > 3",
      "class 'Toy' has no property 'prise'; did you mean 'price'? | prise"
    ),
    ("sort(nmae)", "class 'Dog' has no property 'nmae'; did you mean 'name'? | nmae"),
    ("sort(name up)", "expected 'asc' or 'desc', found 'up' | up"),
    (
      "sort(toys.name)", "'toys' is a collection; sort and distinct follow single links only | toys"
    ),
    ("sort(owner)", "cannot sort by 'owner', which is a link to Person | owner"),
    ("sort()", "expected a value or a property, found ')' | )"),
    ("sort(name", "expected ')', found the end | "),
    ("limit(-1)", "limit needs a whole number of 0 or more | -1"),
    ("limit(2.5)", "limit needs a whole number of 0 or more | 2.5"),
    ("limit(name)", "limit needs a whole number of 0 or more | name"),
    ("distinct(tags)", "'tags' is a collection; sort and distinct follow single links only | tags"),
    ("distinct(name.@count)", "expected a property, found 'name.@count' | name.@count"),
  ]

  @Test(arguments: faults)
  func `reports what is wrong, and where`(text: String, fault: String) {
    #expect(KennelStore().fault(text) == fault)
  }

  @Test func `reports text that is not UTF-8`() {
    let source = Array("where name == '".utf8) + [0xFF] + Array("'".utf8)
    let error = #expect(throws: QueryError.self) { try QueryParser.parseTail(source, from: 0) }
    #expect(
      error
        == QueryError(message: "invalid UTF-8", span: SourceSpan(start: 15, end: 16)))
  }

  @Test(arguments: ["(", "NOT ", "{", "ANY "])
  func `refuses nesting without end`(part: String) {
    let text = String(repeating: part, count: 5_000) + "age == 1"
    let error = #expect(throws: QueryError.self) {
      try QueryParser.parsePredicate(Array(text.utf8), from: 0)
    }
    #expect(error?.message == "more than 100 levels of nesting")
  }

  @Test func `refuses paths without end`() {
    let text = "owner" + String(repeating: ".friend", count: 5_000) + " == nil"
    let error = #expect(throws: QueryError.self) {
      try QueryParser.parsePredicate(Array(text.utf8), from: 0)
    }
    #expect(error?.message == "more than 100 levels of nesting")
  }

  @Test func `arithmetic may go on for long`() throws {
    let kennel = KennelStore()
    // Of the dog of four years.
    for (part, value) in [(" + age", 5_001 * 4), (" - 1", 4 - 5_000), (" + age - 4", 4)] {
      let text = "where age" + String(repeating: part, count: 5_000) + " == \(value)"
      #expect(try kennel.rows(text) == [1], "\(part)")
      let (tail, _) = try QueryParser.parseTail(Array(text.utf8), from: 0)
      #expect(tail.description == text)
    }
  }

  @Test func `names the object that is missing where there is no class`() throws {
    let kennel = KennelStore()
    func fault(_ text: String) -> String {
      do {
        let (predicate, _) = try QueryParser.parsePredicate(Array(text.utf8), from: 0)
        _ = try BoundPredicate.bind(
          predicate, root: nil, schema: KennelStore.schema, names: kennel.names)
        return "nothing"
      } catch { return "\(error)" }
    }
    #expect(fault("age > 3") == "'age' needs an object: a variable, or a class and a key")
    #expect(fault("Dgo.@count > 3") == "unknown class 'Dgo'; did you mean 'Dog'?")
    #expect(fault("Person#3.age > 3") == "there is no object Person#int(3)")
  }
}
