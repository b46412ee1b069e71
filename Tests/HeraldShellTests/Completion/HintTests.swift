import Herald
import Testing

@testable import HeraldShell

/// Hints that fit to the text, values of the store, names that nothing has, and aliases.
struct HintTests {
  @Test(arguments: [
    // With a blank where the text has none.
    ("add Dog {}", " as"), ("import \"file\"", nil), ("let $x", nil),
    ("show Dog where (name == \"x\")", " AND | OR | sort | distinct | limit | …"),
    ("add Dog {", " a property"),
    ("print $max.", "a property"), ("show Dog sort(", "a value or a property"),
    // Nothing that would read as the text of a string.
    ("show Dog where name == \"", "Max\""), ("show Dog where name == 'M", "ax'"),
    ("show Dog where name == \"X", nil), ("show Dog where weight == \"", nil),
    // Each word once.
    ("alter Dog {", " add | change | drop | rename | link | …"),
    ("follow Dog --", "once | count | for"),
    // Only what applies.
    ("observe store ", "as | on | do"), ("observe $max keypaths name ", "as | exclusive | on | do"),
    ("observe Dog depth 2 ", "as | keypaths | on | do"),
    ("observe property $max.name ", "as | on | do"),
    ("observe property ", "an object, a collection or a property"),
    ("observe Card of $max ", "as | keypaths | on | do"),
    ("observe $max ", "as | keypaths | exclusive | on | do"),
    ("observe Dog as ", "a new name"), ("set $max ", "= or {"),
    ("delete Dog ", "where | sort | distinct | limit | offset | …"),
    ("group Dog by name { n: @count } ", "where | sort | limit | offset | at"),
    ("group Dog by name { n: @count } sort(n) ", "sort | limit | offset | where | at"),
    ("show Dog limit(", "a number"), ("show Dog sort(name) offset(", "a number"),
    ("class Cat { name: string ", "primary | indexed | ; or }"),
    ("class Cat { name: string primary ", "indexed | ; or }"),
    ("class Cat { weight: double ", "indexed | ; or }"),
    ("class Cat { names: list<string> ", "; or }"), ("class Cat { friend: Cat ", "; or }"),
  ])
  func `a hint stands apart, says each word once, and only what applies`(
    text: String, expected: String?
  ) throws {
    let shown = try CompletionScene.withContext { hint(text, $0) }
    #expect(shown == expected)
  }

  @Test(arguments: [
    ("observe Dog ex|", []), ("observe $max ex|", ["exclusive "]), ("observe $max de|", []),
    ("observe Dog de|", ["depth "]), ("observe $ann.dogs de|", ["depth "]),
    ("observe Dog where weight > 1 ex|", []), ("observe store key|", []),
    ("observe $max exclusive ex|", []), ("observe Dog keypaths name key|", []),
    // A name in a list of properties stands once.
    ("add Dog { name: \"x\", |", ["weight: ", "owner: ", "toys: "]),
    ("add Dog { name: \"x\", weight: 2, n|", []),
    ("add Dog { owner: { name: \"x\" }, na|", ["name: "]),
    ("add Dog { name: \"x\", owner: { na|", ["name: "]),
    ("add Dog [{ name: \"x\" }, { na|", ["name: "]),
    ("observe Dog keypaths name, |", ["weight", "owner", "toys"]),
    ("show Dog { name, n|", ["now", "NOT ", "NONE "]), ("show Dog { name, owner.n|", ["name"]),
    ("show Dog { name } where n|", ["nil", "now", "NOT ", "NONE "]),
    ("group Dog by name, n|", ["now", "NOT ", "NONE "]),
    ("alter Dog { drop name; drop |", ["weight", "owner", "toys"]),
    ("alter Dog { rename name to x; name|", []),
    ("observe property $m|", ["$max"]), ("observe property $max.n|", ["name"]),
    ("follow store de|", []), ("follow Dog de|", ["depth "]),
  ])
  func `what would be refused is not offered`(text: String, expected: [String]) throws {
    let offered = try CompletionScene.offered(text)
    #expect(offered == expected)
  }

  /// Strings of an index, or of the first objects.
  @Test(arguments: [
    ("show Cat where name == \"M|", ["\"Max\"", "\"Mia\""]),
    ("show Cat where name == 'Mi|", ["'Mia'"]),
    ("show Cat where name BEGINSWITH \"R|", ["\"Rex\""]),
    ("show Cat where name IN {\"Max\", \"R|", ["\"Rex\""]),
    ("show Cat where friend.name == \"Mi|", ["\"Mia\""]),
    ("show Cat where breed == \"p|", ["\"pug\""]),
    ("show Cat where weight == \"M|", []), ("show Cat where name == \"Z|", []),
    ("add Cat { breed: \"|", ["\"mops\"", "\"pug\""]),
    ("$cat.name = \"M|", ["\"Max\"", "\"Mia\""]),
    ("set Cat where weight > 1 { breed: \"m|", ["\"mops\""]), ("set $cat { breed: 'm|", ["'mops'"]),
    ("expect $cat.name == \"R|", ["\"Rex\""]), ("add Cat { friend: { name: \"R|", ["\"Rex\""]),
    ("show Cat where SUBQUERY(friends, $f, $f.name == \"Mi|", ["\"Mia\""]),
    ("print \"M|", []), ("show Many where s == \"|", (0..<100).map { "\"s\(1000 + $0)\"" } + ["…"]),
  ])
  func `strings of the store are completed`(text: String, expected: [String]) throws {
    let store = """

      class Cat { name: string = "" indexed; breed: string?; weight: int = 1; friend: Cat
        friends: list<Cat> }
      add Cat [{name: "Mia", breed: "pug"}, {name: "Rex", breed: "mops"}, {name: "Max", breed: "pug"}]
      add Cat { name: "Rex" } as $cat
      class Many { s: string }
      add Many [\((0..<500).map { "{s: \"s\(1000 + $0)\"}" }.joined(separator: ", "))]
      """
    #expect(try CompletionScene.offered(text, after: store) == expected)
  }

  @Test func `strings are offered before the first quote too`() throws {
    let offered = try CompletionScene.offered("show Dog where name == |")
    #expect(offered.contains("\"Max\"") && offered.contains("name"))
    #expect(try CompletionScene.offered("add Dog { name: |").contains("\"Max\""))
  }

  /// The words in red.
  @Test(arguments: [
    ("count Dgo where name == 'x'", "Dgo"), ("count Dog where nmae == 'x'", "nmae"),
    ("count Dog where owner.nmae == 'x'", "nmae"), ("add Dog { nmae: 'x' }", "nmae"),
    ("add Dog { owner: { nmae: 'x' } }", "nmae"), ("print $max.nmae, 1", "nmae"),
    ("observe Dog keypaths nmae, name", "nmae"), ("show Dog sort(nmae)", "nmae"),
    ("show Dog { nmae, name }", "nmae"), ("alter Dog { drop nmae; drop name }", "nmae"),
    ("set $max { nmae: 1 }", "nmae"), ("print Dog#1.nmae, 1", "nmae"),
    ("count Card where name == 1", "name"), ("show $ann.dogs where nmae == 1", "nmae"),
    ("show Dog where SUBQUERY(owner.dogs, $d, $d.nmae == 1).@count > 0", "nmae"),
    // Nothing is known to be wrong in these.
    ("count Dog where name == 'x' and owner.dogs.@count > 1", ""), ("explain dogs\n", ""),
    ("class Cat { a: int }\nadd Cat { b: 1 }", ""), ("count Dgo", ""), ("print $nobody.x, 1", ""),
    ("show group Dog by name { n: @count } sort(n desc)", ""), ("if $max.isInvalidated { }", ""),
    ("show Person where scores.maths > 1", ""), ("show Person where tag.a == 1", ""),
    ("print $ann.name.length, 1", ""), ("show $ann.scores where self > 1", ""),
    ("observe $max do { print $object.name }", ""), ("count Card where title == 1", ""),
    ("for $ann in Dog { print $ann.weight, 1 }", ""), ("define X as Dog where name == 'x'\n", ""),
  ])
  func `a class or a property that is not there is red`(text: String, expected: String) throws {
    let bytes = Array(text.utf8)
    let red = try CompletionScene.withContext { highlights(text, $0) }
      .filter { $0.style == .mistake }.map { String(decoding: bytes[$0.range], as: UTF8.self) }
    #expect(red.joined(separator: " ") == expected)
  }

  @Test func `an alias is completed, hinted and coloured like its statement`() throws {
    let aliases = "\nalias heavy = show Dog where weight > 3 and\nalias again = heavy"
    #expect(try CompletionScene.offered("hea|", after: aliases) == ["heavy "])
    #expect(try CompletionScene.offered("heavy na|", after: aliases) == ["name"])
    #expect(try CompletionScene.offered("print 1; again owner.is|", after: aliases) == ["isAdult"])
    #expect(try CompletionScene.offered("print 1;\nagain owner.is|", after: aliases) == ["isAdult"])
    #expect(try CompletionScene.offered("unalias |", after: aliases) == ["again", "heavy"])
    #expect(try CompletionScene.offered("alias x = show Dog where we|") == ["weight"])
    #expect(try CompletionScene.offered("alias x = obs|") == ["observe "])
    #expect(try CompletionScene.offered("edit |", after: aliases) == ["again", "heavy", "Card"])
    try CompletionScene.withContext(after: aliases) { context in
      #expect(hint("heavy weig", context) == "ht")
      let text = "heavy name == 'x'; count Dog"
      let colours = highlights(text, context).map {
        "\($0.style) \(text.utf8.dropFirst($0.range.lowerBound).prefix($0.range.count))"
      }
      #expect(
        colours.map { $0.prefix { $0 != " " } } == ["keyword", "string", "keyword", "className"])
    }
  }
}
