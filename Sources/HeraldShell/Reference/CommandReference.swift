import Herald

/// The word that begins a statement: how the rest is parsed, and how the manual and `help` describe it.
package struct Command: Sendable {
  /// The word that begins it, which is the topic of `help WORD`.
  package let word: String
  package let synopsis: [String]
  /// One line, without a full stop.
  package let summary: String
  /// Paragraphs of plain text.
  package let details: [String]
  package let examples: [String]
  /// Whether a person may want the statement in a write transaction, where completion offers it then.
  let standsInWrites: Bool
  /// Parses the statement after its word.
  let parse: (@Sendable (inout StatementParser) throws(ShellError) -> any StatementForm)?

  init(
    _ word: String, _ synopsis: [String], _ summary: String, _ details: [String] = [],
    examples: [String] = [], inWrites: Bool = false,
    parse: (@Sendable (inout StatementParser) throws(ShellError) -> any StatementForm)? = nil
  ) {
    self.word = word
    self.synopsis = synopsis
    self.summary = summary
    self.details = details
    self.examples = examples
    standsInWrites = inWrites
    self.parse = parse
  }
}

/// The description of the commands, the one source of `help`, `help WORD` and the manual pages.
package enum CommandReference {
  package struct Section: Sendable {
    package let title: String
    package let commands: [Command]
  }

  package static let sections: [Section] = [
    Section(title: "Stores and classes", commands: storeCommands),
    Section(title: "Changes", commands: changeCommands),
    Section(title: "Collections", commands: collectionCommands),
    Section(title: "Transactions", commands: transactionCommands),
    Section(title: "The log", commands: logCommands),
    Section(title: "Observers", commands: observerCommands),
    Section(title: "Sessions", commands: sessionCommands),
    Section(title: "Output", commands: outputCommands),
    Section(title: "Scripts", commands: scriptCommands),
  ]

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
