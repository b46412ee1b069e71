import Herald
import TestSupport
import Testing

@testable import HeraldShell

/// A store with something of everything, and what completion knows of it.
enum CompletionScene {
  static let script = """
    class Person { name: string; age: int?; isAdult: bool = false; dogs: list<Dog>; friends: set<Person>
      scores: map<int>; pets: backlinks<Dog.owner>; born: date?; photo: data?; tag: any; code: uuid? }
    class Dog { name: string; weight: double = 1; owner: Person; toys: list<string> }
    embedded class Address { city: string }
    projection Card of Dog { title: name; boss: owner.name }
    add Person { name: "Ann" } as $ann
    add Dog { name: "Max", owner: $ann } as $max
    let $n = 3
    let $old = Dog where weight > 9
    let $card = Card of $max
    observe Dog as dogs
    observe $max as wolf
    @bg count Dog
    """

  static func withContext<Answer>(
    after more: String = "", _ body: (CompletionContext) throws -> Answer
  ) throws -> Answer {
    let sink = Quiet()
    let interpreter = Interpreter(sink: sink)
    defer { interpreter.finish() }
    #expect(interpreter.run(Source(name: "scene", text: script + more)))
    var context = interpreter.completionContext
    context.files = { folder in
      folder == ""
        ? ["pets.hdb", "my dogs.csv", ".hidden", "data/"] : folder == "data/" ? ["a.csv"] : []
    }
    return try body(context)
  }

  /// What is offered at `|`, each with what is typed after it.
  static func offered(_ text: String, after more: String = "") throws -> [String] {
    let parts = text.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
    return try withContext(after: more) { context in
      let found = completions(parts.joined(), cursor: parts[0].utf8.count, context)
      return found.map { $0.text + $0.suffix } + (found.contains(where: \.isOneOfMore) ? ["…"] : [])
    }
  }

  private final class Quiet: OutputSink {
    func writeWithoutWaiting(_ text: Substring) -> String.Index { text.endIndex }
    func writeError(_ text: String) { Issue.record("\(text)") }
  }
}

struct CompletionTests {
  @Test(arguments: [
    // Commands
    ("obs|", ["observe "]), ("auto|", ["autorefresh "]), ("to|", ["tokens", "tour"]),
    ("class|", ["class "]), ("print 1; rol|", ["rollback"]), ("write { rol|", ["rollback"]),
    ("write { add Dog {}; rol|", ["rollback"]), ("write { add Dog {} rol|", []),
    ("@bg refr|", ["refresh"]), ("frobnicate\nrol|", ["rollback"]), ("help auto|", ["autorefresh"]),
    ("if $n > 2 { rol|", ["rollback"]),
    // Classes
    ("add |", ["Dog ", "Person "]), ("count D|", ["Dog"]), ("show p|", ["Person"]),
    ("schema |", ["at ", "in ", "Address", "Dog", "Person", "Card"]),
    ("import x.csv into P|", ["Person "]),
    ("class |", []),
    ("observe Ca|", ["Card "]), ("delete Do|", ["Dog "]),
    // Properties in literals: those of the class, at each depth
    ("add Dog { |", ["name: ", "weight: ", "owner: ", "toys: "]),
    ("add Dog { name: \"x\", w|", ["weight: "]), ("add Dog { name: \"x\" w|", []),
    ("add Dog { owner: { a|", ["age: "]), ("add Dog { owner: { name: \"x\" }, t|", ["toys: "]),
    ("add Person { dogs: [{ w|", ["weight: "]),
    ("add Person { dogs: [{name: \"a\"}, { w|", ["weight: "]),
    ("add Dog [{name: \"a\"}, { we|", ["weight: "]), ("add Nothing { |", []),
    ("add Person { p|", ["photo: "]), ("set $ann { is|", ["isAdult: "]),
    ("set Dog where weight > 1 { w|", ["weight: "]), ("upsert Dog {\n  na|", ["name: "]),
    ("new Dog { ow|", ["owner: "]),
    // Values in literals
    ("add Person { isAdult: |", ["true", "false"]),
    ("add Dog { owner: |", ["$ann", "Person#", "nil"]),
    ("add Person { age: |", ["$n", "nil"]), ("set $max.owner = |", ["$ann", "Person#", "nil"]),
    ("$ann.isAdult = t|", ["true"]),
    // Paths
    ("set $max.|", ["name", "weight", "owner", "toys"]), ("set $max.owner.a|", ["age"]),
    ("print $ann.dogs[0].w|", ["weight"]), ("print $ann.dogs.|", []),
    ("print $card.|", ["title", "boss"]),
    ("Dog#1.ow|", ["owner"]), ("print $nobody.|", []), ("print $n.|", []),
    ("append $max to $ann.d|", ["dogs"]), ("clear $ann.sc|", ["scores"]),
    ("observe $max keypaths owner.na|", ["name"]),
    ("observe Dog keypaths |", ["none ", "name", "weight", "owner", "toys"]),
    ("observe $ann.dogs keypaths name, w|", ["weight"]),
    ("observe $max keypaths owner.dogs.we|", ["weight"]),
    ("observe Card of $max keypaths t|", ["title"]),
    ("projection X of Dog { t: owner.na|", ["name"]),
    ("print (Dog sort(name))[0].w|", ["weight"]),
    // Questions
    ("show Dog where w|", ["weight"]), ("show Dog where owner.is|", ["isAdult"]),
    ("show Dog where age|", []), ("show Dog where owner.dogs.@c|", ["count"]),
    (
      "show Person where dogs.@|",
      [
        "count", "sum", "avg", "min", "max", "median", "percentile(", "stddev", "distinct",
      ]
    ),
    ("show Person where scores.@k|", ["keys"]),
    ("show Dog where toys.|", ["@count", "@min", "@max", "@distinct"]),
    ("show Person where ANY |", ["dogs", "friends", "scores", "pets"]),
    ("show Person where ANY dogs.we|", ["weight"]),
    (
      "show Person where isAdult == |",
      [
        "isAdult", "dogs", "friends", "pets", "tag", "$ann", "$card", "$max", "true", "false",
        "nil",
      ]
    ),
    ("show Dog where name == 'a' a|", ["AND ", "at "]),
    ("show Dog where name == 'a' AND wei|", ["weight"]),
    ("show Dog where (name == 'a' or we|", ["weight"]),
    ("show Dog so|", ["sort("]), ("show Dog sort(wei|", ["weight"]),
    ("show Dog sort(weight d|", ["desc "]),
    ("show $ann.scores where se|", ["self"]), ("show $ann.scores sort(se|", ["self"]),
    ("show $ann.dogs where we|", ["weight"]), ("show $old where we|", ["weight"]),
    ("show Person where @links.D|", ["Dog"]), ("show Person where @links.Dog.|", ["owner"]),
    ("expect $max.we|", ["weight"]), ("if $max.weight > 3 && $max.na|", ["name"]),
    ("observe Dog where weight > 3 as|", ["as "]),
    ("observe Dog where weight > 3 key|", ["keypaths "]),
    ("expect Dog.@co|", ["count"]),
    ("follow D|", ["Dog "]), ("follow Dog where we|", ["weight"]),
    ("follow Dog --o|", ["once "]), ("follow Dog keypaths na|", ["name"]),
    ("follow Dog where weight > 3 --once keyp|", ["keypaths "]),
    // Tokens, sessions, variables
    ("invalidate |", ["all ", "dogs", "wolf"]), ("invalidate dogs, w|", ["wolf"]),
    ("write without d|", ["dogs"]), ("commit without w|", ["wolf"]), ("expect wo|", ["wolf"]),
    ("expect dogs del|", ["deleted ", "deletions "]), ("expect Dog del|", []),
    ("observe Dog as d|", []), ("session b|", ["bg"]), ("@b|", ["bg"]),
    ("delete $m|", ["$max"]), ("$m|", ["$max"]), ("print 1, $c|", ["$card"]),
    ("add Dog {} as $m|", []),
    ("observe Dog do { print $ins|", ["$insertions"]),
    ("observe Dog do { show $rows where we|", ["weight"]),
    ("observe $max do { print $object.na|", ["name"]), ("observe $max do { } ; print $ob|", []),
    // Types
    ("class A { a: li|", ["list<"]),
    ("class A { a: list<D|", ["data", "date", "decimal", "double", "Dog"]),
    ("class A { a: int pri|", ["primary "]), ("class A { a: backlinks<Dog.|", ["owner"]),
    // Changed classes
    ("alter D|", ["Dog "]),
    ("alter Dog { |", ["add ", "change ", "drop ", "rename ", "link ", "keep "]),
    ("alter Dog { drop we|", ["weight"]), ("alter Dog { add we|", []),
    ("alter Dog { rename na|", ["name"]), ("alter Dog { rename name to we|", []),
    ("alter Dog { add x: in|", ["int"]), ("alter Dog { drop name; ren|", ["rename "]),
    ("drop Ca|", ["Card"]), ("drop D|", ["Dog"]), ("why w|", ["wolf"]),
    ("explain do|", ["dogs", "Dog "]),
    ("events d|", ["dogs"]),
    // Small words
    ("mode |", ["text ", "line ", "csv ", "markdown ", "json ", "jsonl "]),
    ("autorefresh o|", ["on ", "off "]), ("append $max t|", ["to "]),
    ("remove \"x\" fr|", ["from "]), ("open x.hdb r|", ["read-only "]),
    ("open x.hdb s|", ["sync=normal "]),
    ("open |", ["data/", "pets.hdb "]), ("open \"|", ["\"data/", "\"pets.hdb\""]),
    ("check |", ["data/", "pets.hdb "]), ("open m|", ["\"my dogs.csv\""]),
    // Braces
    ("add Dog |", ["{ "]), ("new Dog |", ["{ "]), ("set $max |", ["= ", "{ "]),
    // Statements in transactions
    ("write com|", []), ("write { com|", ["commit "]), ("write t|", []), ("write { to|", []),
    ("write ex|", ["explain ", "expect ", "export "]), ("write { for $x in Dog { se|", ["set "]),
    ("write { }; to|", ["tokens", "tour"]), ("write de|", ["define ", "delete "]),
    ("observe Card o|", ["offset(", "of ", "on "]), ("observe Dog o|", ["offset(", "on "]),
    // Files
    ("read |", ["data/", "\"my dogs.csv\"", "pets.hdb "]), ("open p|", ["pets.hdb "]),
    ("read .|", [".hidden "]), ("import data/|", ["data/a.csv "]),
    ("read \"my|", ["\"my dogs.csv\""]), ("dump to d|", ["data/"]),
    ("export Dog to p|", ["pets.hdb "]), ("export Dog to - as |", ["csv ", "jsonl ", "json "]),
    ("import x.csv |", ["into ", "as "]), ("import x.csv as |", ["new "]),
    ("import x.csv as new T |", ["live ", "with ", "dry "]),
    ("import x.csv as new T dry |", ["run "]),
    (
      "import x.csv into Dog with |",
      [
        "delimiter ", "quote ", "escape ", "header ", "skip ", "comment ", "short ", "nil ",
        "decimal ",
        "thousands ", "dates ", "form ", "encoding ", "columns ",
      ]
    ),
    ("import x.csv into Dog with header no, enc|", ["encoding "]),
    (
      "import x.csv into Dog with encoding |",
      ["utf8 ", "utf16 ", "utf16le ", "utf16be ", "latin1 ", "windows1252 "]
    ),
    ("import x.csv into Dog with columns { a: |", ["skip ", "text ", "or "]),
    // Where nothing can be known
    ("print \"obs|", []), ("print 1 # obs|", []), ("# obs|", []), ("quit obs|", []),
    ("print 3|", []), ("show Dog where nothing.|", []),
  ])
  func `what is offered is what the grammar and the store allow there`(
    text: String, expected: [String]
  ) throws {
    let offered = try CompletionScene.offered(text)
    #expect(offered == expected)
  }

  /// Keys are those that the store has.
  @Test(arguments: [
    ("print Row#|", ["1", "3", "12", "120"]), ("print Row#1|", ["1", "12", "120"]),
    ("print Row#12|", ["12", "120"]), ("print Row#2|", []), ("print Row#0|", []),
    ("print Row#-|", []), ("print Row#\"|", []), ("Row#3|.x", ["3"]),
    ("print Book#|", ["\"Emma\"", "\"It's\"", "\"say \\\"a\\\"\"", "\"sea\""]),
    ("print Book#\"s|", ["\"say \\\"a\\\"\"", "\"sea\""]), ("print Book#'I|", ["'It\\'s'"]),
    ("print Book#'sa|", ["'say \"a\"'"]), ("print Book#\"say \\|", []),
    ("print Book#\"say \\\"|", ["\"say \\\"a\\\"\""]), ("print Book#5|", []),
    ("print Code#|", ["uuid(\"9f2c0a3e-0000-4000-8000-000000000000\")"]),
    ("print Code#uu|", ["uuid(\"9f2c0a3e-0000-4000-8000-000000000000\")"]),
    ("print Dog#|", ["1"]), ("delete Person#|", ["1", "2"]), ("print Nothing#|", []),
    ("show Dog where owner == Person#|", ["1", "2"]), ("expect Book#\"E|", ["\"Emma\""]),
    ("append Dog#1, Dog#|", ["1"]), ("add Dog { owner: Person#|", ["1", "2"]),
    ("print Many#|", (0..<100).map { "\($0)" } + ["…"]),
    ("print Many#9|", ["9"] + (90..<100).map { "\($0)" } + (900..<989).map { "\($0)" } + ["…"]),
    // The keys of maps
    ("print $ann.scores[\"|", ["\"art\"]", "\"maths\"]", "\"music\"]"]),
    ("print $ann.scores[\"m|", ["\"maths\"]", "\"music\"]"]), ("print $ann.dogs[\"|", []),
    ("set $ann.scores['a|", ["'art']"]), ("remove Person#1.scores[\"ma|", ["\"maths\"]"]),
    ("show Person where scores[\"m|", ["\"maths\"]", "\"music\"]"]),
    ("expect $ann.scores[\"a|", ["\"art\"]"]), ("print (Person sort(name))[0].scores[\"|", []),
    ("print $box.tag[\"|", ["\"a\"]", "\"b\"]"]), ("print $box.tag[\"a\"][\"|", ["\"c\"]"]),
    // The variables of subqueries
    ("show Person where SUBQUERY(dogs, $d, $d.we|", ["weight"]),
    ("show Person where SUBQUERY(dogs, $doggy, $do|", ["$doggy"]),
    ("show Person where SUBQUERY(dogs, $d, $d.weight > 3 AND na|", ["name"]),
    ("show Person where SUBQUERY(dogs, $d, SUBQUERY($d.owner.pets, $e, $e.to|", ["toys"]),
    ("show Person where SUBQUERY(dogs, $d, $d.weight > 3).@count > 0 AND $d.|", []),
    ("expect SUBQUERY($ann.dogs, $d, $d.|", ["name", "weight", "owner", "toys", "@links"]),
  ])
  func `keys, and the variables of subqueries, are offered where the grammar allows them`(
    text: String, expected: [String]
  ) throws {
    let store = """

      class Row { id: int primary; x: int = 0 }; add Row [{id: 1}, {id: 3}, {id: 12}, {id: 120}]
      class Book { title: string primary }
      add Book [{title: "Emma"}, {title: "sea"}, {title: 'say "a"'}, {title: "It's"}]
      class Code { id: uuid primary }; add Code {id: uuid("9f2c0a3e-0000-4000-8000-000000000000")}
      set $ann.scores = { maths: 1, music: 2, art: 3 }
      add Person { name: "", tag: { a: { c: 1 }, b: 2 } } as $box; delete Dog where name == "none"
      class Many { id: int primary }
      add Many [\((0..<1000).map { "{id: \($0)}" }.joined(separator: ", "))]
      """
    #expect(try CompletionScene.offered(text, after: store) == expected)
  }

  /// A property of each type, and a value of that type.
  @Test(arguments: [
    ("a", "true"), ("b", "3"), ("c", "2.5"), ("d", "2.5"), ("e", "\"x\""),
    ("f", "binary(\"AA==\")"),
    ("g", "2026-11-21@10:30:00"), ("h", "decimal"),
    ("i", "uuid(\"9f2c0a3e-0000-4000-8000-000000000000\")"),
    ("j", "oid(\"000000000000000000000000\")"), ("k", "$t"), ("l", "3"), ("m", "3"), ("n", "\"x\""),
    ("o", "$t"), ("p", "\"x\""), ("q", "$t"), ("l.@count", "3"), ("k.b", "3"), ("o.b", "3"),
    ("l.@sum", "3"),
  ])
  func `the operators that are offered are those that the query takes`(
    path: String, literal: String
  ) throws {
    let value = literal == "decimal" ? "1.5" : literal
    let sink = CollectingSink()
    let interpreter = Interpreter(options: keepingOn, sink: sink)
    interpreter.run(
      Source(
        name: "types",
        text: """
          class T { a: bool = true; b: int = 1; c: float = 1; d: double = 1; e: string = ""; f: data?
            g: date?; h: decimal?; i: uuid?; j: objectid?; k: T; l: list<int>; m: set<int>
            n: map<string>; o: list<T>; p: any; q: backlinks<T.k> }
          add T {} as $t
          """))
    let text = "count T where \(path) "
    let offered = completions(text, cursor: text.utf8.count, interpreter.completionContext)
    var taken: [String] = []
    for relation in relations {
      let errors = sink.errors
      let side =
        switch relation {
        case "IN": "{\(value)}"
        case "BETWEEN": "{\(value), \(value)}"
        default: value
        }
      interpreter.run(Source(name: "query", text: text + "\(relation) \(side)"))
      if sink.errors == errors { taken.append(relation) }
    }
    #expect(offered.map(\.text).filter { relations.contains($0) } == taken)
    interpreter.finish()
  }

  @Test(arguments: [
    ("obs", "erve"), ("a", nil), ("", nil), ("show Dog where na", "me"), ("append $max to", nil),
    ("count ", "group | a value"),
    ("observe ", "store | group | histogram | value | property | …"),
    ("add ", "a class"), ("add Dog ", "{"),
    ("mode ", "text | line | csv | markdown | json | …"), ("autorefresh ", "on | off"),
    ("add Dog {", " a property"),
    ("set $max.weight ", "= or {"),
    ("let $x ", "="), ("show Dog where ", "a value or a property"),
    ("show Dog where name ", "an operator"),
    ("observe Dog ", "where | sort | distinct | limit | offset | …"),
    ("insert 3 ", "into"), ("quit ", nil), ("print \"a", nil), ("class A { a: ", "a type"),
  ])
  func `a hint is the rest of the word or what is expected next`(
    text: String, expected: String?
  ) throws {
    let shown = try CompletionScene.withContext { hint(text, $0) }
    #expect(shown == expected)
  }

  @Test func `completion, hints and colours survive twenty thousand damaged texts`() throws {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SplitMix64(seed: seed)
    try CompletionScene.withContext { context in
      var context = context
      context.aliases = ["ll": "show Dog where", "count": "ll", "add": "count Dog;"]
      let texts = CommandReference.commands.flatMap(\.examples) + ["ll name == \"M\"; ll\nll"]
      for _ in 0..<20_000 {
        var bytes = Array(texts.randomElement(using: &random)!.utf8)
        for _ in 0..<Int.random(in: 0..<4, using: &random) where !bytes.isEmpty {
          let place = bytes.indices.randomElement(using: &random)!
          if Bool.random(using: &random) {
            bytes[place] = Array("{}[]()\"'#$@.,;: =x9\n".utf8).randomElement(using: &random)!
          } else {
            bytes.remove(at: place)
          }
        }
        let text = String(decoding: bytes, as: UTF8.self)
        let cursor = Int.random(in: 0...text.utf8.count, using: &random)
        for completion in completions(text, cursor: cursor, context) {
          #expect((0...cursor).contains(completion.start), "seed \(seed): \(text)")
        }
        _ = hint(text, context)
        var end = 0
        for highlight in highlights(text, context) {
          #expect(
            highlight.range.lowerBound >= end && highlight.range.upperBound <= text.utf8.count,
            "seed \(seed): \(text)")
          end = highlight.range.upperBound
        }
      }
    }
  }

  @Test(arguments: [
    (
      "add Dog { name: \"Max\", age: 3 } as $max # new",
      "keyword add|className Dog|string \"Max\"|number 3|keyword as|variable $max|comment # new"
    ),
    (
      "show Dog where name BEGINSWITH 'M' AND age > 3 sort(age desc) limit(3)",
      "keyword show|className Dog|keyword where|keyword BEGINSWITH|string 'M'|keyword AND|number 3|keyword sort|keyword desc|keyword limit|number 3"
    ),
    (
      "observe Dog as add keypaths where",
      "keyword observe|className Dog|keyword as|keyword keypaths"
    ),
    ("frobnicate Dog\ncount Dog", "mistake frobnicate|keyword count|className Dog"),
    ("frobn", ""), ("Dog where", "className Dog|keyword where"),
    ("print \"not closed", "keyword print|string \"not closed"),
    ("é 日本 count", "mistake é"), ("@bg refresh", "keyword refresh"),
  ])
  func `words have the colour of their meaning in context`(text: String, expected: String) {
    #expect(colours(text) == expected)
  }
}

private let relations = Relation.allCases.map(\.rawValue) + ["IN", "BETWEEN"]

private let keepingOn: Interpreter.Options = {
  var options = Interpreter.Options()
  options.keepsGoing = true
  return options
}()

private func colours(_ text: String) -> String {
  let bytes = Array(text.utf8)
  return highlights(text).map {
    "\($0.style) \(String(decoding: bytes[$0.range], as: UTF8.self))"
  }.joined(separator: "|")
}
