import Herald
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

  static func context() throws -> CompletionContext {
    let sink = Quiet()
    let interpreter = Interpreter(sink: sink)
    #expect(interpreter.run(Source(name: "scene", text: script)))
    var context = interpreter.completionContext
    context.files = { folder in
      folder == "" ? ["pets.hdb", "my dogs.csv", ".hidden", "data/"] : folder == "data/" ? ["a.csv"] : []
    }
    interpreter.finish()
    return context
  }

  /// What is offered at `|`, each with what is typed after it.
  static func offered(_ text: String) throws -> [String] {
    let parts = text.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
    let found = completions(
      parts.joined(), cursor: parts[0].utf8.count, try context())
    return found.map { $0.text + $0.suffix }
  }

  private final class Quiet: OutputSink {
    func write(_ text: String) {}
    func writeError(_ text: String) { Issue.record("\(text)") }
  }
}

@Test(arguments: [
  // Commands
  ("obs|", ["observe "]), ("auto|", ["autorefresh "]), ("to|", ["tokens"]),
  ("class|", ["class "]), ("print 1; rol|", ["rollback"]), ("write { rol|", ["rollback"]),
  ("write { add Dog {}; rol|", ["rollback"]), ("write { add Dog {} rol|", []),
  ("@bg refr|", ["refresh"]), ("frobnicate\nrol|", ["rollback"]), ("help auto|", ["autorefresh"]),
  ("if true { rol|", ["rollback"]),
  // Classes
  ("add |", ["Dog ", "Person "]), ("count D|", ["Dog"]), ("show p|", ["Person"]),
  ("schema D|", ["Dog "]), ("import x.csv into P|", ["Person "]), ("class |", []),
  ("observe Ca|", ["Card "]), ("delete Do|", ["Dog "]),
  // Properties in literals: those of the class in question, at each depth
  ("add Dog { |", ["name: ", "weight: ", "owner: ", "toys: "]),
  ("add Dog { name: \"x\", w|", ["weight: "]), ("add Dog { name: \"x\" w|", []),
  ("add Dog { owner: { a|", ["age: "]), ("add Dog { owner: { name: \"x\" }, t|", ["toys: "]),
  ("add Person { dogs: [{ w|", ["weight: "]), ("add Person { dogs: [{name: \"a\"}, { w|", ["weight: "]),
  ("add Dog [{name: \"a\"}, { we|", ["weight: "]), ("add Nothing { |", []),
  ("add Person { p|", ["photo: "]), ("set $ann { is|", ["isAdult: "]),
  ("set Dog where weight > 1 { w|", ["weight: "]), ("upsert Dog {\n  na|", ["name: "]),
  ("new Dog { ow|", ["owner: "]),
  // Values in literals
  ("add Person { isAdult: |", ["true", "false"]), ("add Dog { owner: |", ["$ann", "Person#", "nil"]),
  ("add Person { age: |", ["$n", "nil"]), ("set $max.owner = |", ["$ann", "Person#", "nil"]),
  ("$ann.isAdult = t|", ["true"]),
  // Paths
  ("set $max.|", ["name", "weight", "owner", "toys"]), ("set $max.owner.a|", ["age"]),
  ("print $ann.dogs[0].w|", ["weight"]), ("print $ann.dogs.|", []), ("print $card.|", ["title", "boss"]),
  ("Dog#1.ow|", ["owner"]), ("print $nobody.|", []), ("print $n.|", []),
  ("append $max to $ann.d|", ["dogs"]), ("clear $ann.sc|", ["scores"]),
  ("observe $max keypaths owner.na|", ["name"]), ("observe Dog keypaths |", ["name", "weight", "owner", "toys"]),
  ("observe $ann.dogs keypaths name, w|", ["weight"]), ("observe $max keypaths owner.dogs.we|", ["weight"]),
  ("observe Card of $max keypaths t|", ["title"]), ("projection X of Dog { t: owner.na|", ["name"]),
  ("print (Dog sort(name))[0].w|", ["weight"]),
  // Questions
  ("show Dog where w|", ["weight"]), ("show Dog where owner.is|", ["isAdult"]),
  ("show Dog where age|", []), ("show Dog where owner.dogs.@c|", ["count"]),
  ("show Person where dogs.@|", ["count", "avg", "max", "min", "sum"]),
  ("show Person where scores.@k|", ["keys"]),
  ("show Dog where toys.|", ["@count"]),
  ("show Person where ANY |", ["dogs", "friends", "scores", "pets"]),
  ("show Person where ANY dogs.we|", ["weight"]),
  ("show Person where isAdult == |", ["isAdult", "dogs", "friends", "pets", "tag", "true", "false", "nil"]),
  ("show Dog where name == 'a' a|", ["AND "]), ("show Dog where name == 'a' AND wei|", ["weight"]),
  ("show Dog where (name == 'a' or we|", ["weight"]),
  ("show Dog so|", ["sort("]), ("show Dog sort(wei|", ["weight"]), ("show Dog sort(weight d|", ["desc ", "descending "]),
  ("show $ann.dogs where we|", ["weight"]), ("show $old where we|", ["weight"]),
  ("show Person where @links.D|", ["Dog"]), ("show Person where @links.Dog.|", ["owner"]),
  ("expect $max.we|", ["weight"]), ("if $max.weight > 3 && $max.na|", ["name"]),
  ("observe Dog where weight > 3 as|", ["as "]), ("observe Dog where weight > 3 key|", ["keypaths "]),
  ("expect Dog.@co|", ["count"]),
  // Tokens, sessions, variables
  ("invalidate |", ["all ", "dogs", "wolf"]), ("invalidate dogs, w|", ["wolf"]),
  ("write without d|", ["dogs"]), ("commit without w|", ["wolf"]), ("expect wo|", ["wolf"]),
  ("expect dogs del|", ["deleted ", "deletions "]), ("expect Dog del|", []),
  ("observe Dog as d|", []), ("session b|", ["bg"]), ("@b|", ["bg"]),
  ("delete $m|", ["$max"]), ("$m|", ["$max"]), ("print 1, $c|", ["$card"]), ("add Dog {} as $m|", []),
  ("observe Dog do { print $ins|", ["$insertions"]), ("observe Dog do { show $rows where we|", ["weight"]),
  ("observe $max do { print $object.na|", ["name"]), ("observe $max do { } ; print $ob|", []),
  // Types
  ("class A { a: li|", ["list<"]), ("class A { a: list<D|", ["data", "date", "decimal", "double", "Dog"]),
  ("class A { a: int pri|", ["primary "]), ("class A { a: backlinks<Dog.|", ["owner"]),
  // Small words
  ("mode |", ["text ", "json "]), ("autorefresh o|", ["on ", "off "]), ("append $max |", ["to "]),
  ("remove \"x\" fr|", ["from "]), ("open x.hdb r|", ["read-only "]), ("observe Card |", ["of "]),
  // Files
  ("read |", ["data/", "my dogs.csv", "pets.hdb "]), ("open p|", ["pets.hdb "]),
  ("read .|", [".hidden "]), ("import data/|", ["data/a.csv "]),
  ("read \"my|", ["\"my dogs.csv\""]), ("dump to d|", ["data/"]), ("export Dog to p|", ["pets.hdb "]),
  // Where nothing can be known
  ("print \"obs|", []), ("print 1 # obs|", []), ("# obs|", []), ("quit obs|", []),
  ("print 3|", []), ("show Dog where nothing.|", []),
])
func `what is offered is what the grammar and the store allow there`(
  text: String, expected: [String]
) throws {
  #expect(try CompletionScene.offered(text) == expected)
}
