/// The description of the commands, the one source of `help`, `help WORD` and the manual pages.
package enum CommandReference {
  package struct Section: Sendable {
    package let title: String
    package let commands: [Command]
  }

  package static let sections = StatementTable.sections.map {
    Section(title: $0.key, commands: $0.value)
  }

  package static var commands: [Command] { sections.flatMap(\.commands) }

  package static var words: [String] { commands.map(\.word) }

  /// The store that the examples use, as the statements that make it.
  package static let scene = """
    class Person {
      id: int primary; name: string = ""; address: Address
      dogs: list<Dog>; tags: set<string>; scores: map<int>
    }
    embedded class Address { city: string; zip: int? }
    class Dog { id: int primary; name: string = ""; age: int = 0; owner: Person }
    projection Card of Dog { title: name; city: owner.address.city }
    add Person { id: 1, name: "Ann", address: { city: "Bree" } } as $ann
    let $p = Person#1
    add Dog { id: 11, name: "Max", age: 3, owner: $ann } as $max
    add Dog { id: 12, name: "Rex", age: 7 } as $a
    add Dog { id: 13, name: "Ada" } as $b
    append $max, $a, $b to $p.dogs
    insert "x" into $p.tags
    $p.scores["a"] = 1
    observe Dog as dogs
    """
}
