extension ManualPage {
  /// Lines for a shell, in a folder with a script `walk.herald` and the files of the examples before.
  package struct Example: Sendable {
    /// The purpose, as a sentence that ends with a colon.
    package let purpose: String
    package let lines: [String]
    /// The text on standard output.
    package let output: String
  }

  /// A script with an observer of a collection and one of an object, and the events that they must receive.
  package static let walk = """
    class Dog { id: int primary; name: string; age: int }
    add Dog [ {id: 1, name: "Max", age: 3}, {id: 2, name: "Rex", age: 7} ]
    observe Dog where age > 5 sort(name) as old
    observe Dog#1 as max
    write { set Dog#1 { name: "Wolfie", age: 6 } }
    expect old initial 1
    expect old insertions [1]
    """

  package static let shellExamples = [
    Example(
      purpose: "Run it on a store in a file, with output for a program:",
      lines: ["herald pets.hdb -f walk.herald --json"],
      output: """
        {"event":"initial","token":"old","session":"main","count":1}
        {"event":"update","token":"old","session":"main","deletions":[],"insertions":[1],\
        "modifications":[],"modificationsNew":[],"moves":[],\
        "keys":{"deletions":[],"insertions":[1],"modifications":[]}}
        {"event":"change","token":"max","session":"main","properties":[\
        {"name":"name","old":"Max","new":"Wolfie"},{"name":"age","old":3,"new":6}]}

        """),
    Example(
      purpose: "Query the store:",
      lines: ["herald pets.hdb --read-only -c 'count Dog where age > 6'"],
      output: "1\n"),
    Example(
      purpose: "Print the old dogs and then, for ten milliseconds (without --for, until "
        + "interrupted), every change that any process makes:",
      lines: ["herald pets.hdb --json -c 'follow Dog where age > 6 sort(name) --for 10ms'"],
      output: """
        {"event":"initial","token":"t1","session":"main","count":1,"rows":[\
        {"class":"Dog","key":2,"properties":{"id":2,"name":"Rex","age":7}}]}

        """),
    Example(
      purpose: "Run statements from a pipe, and print each statement before its output:",
      lines: ["echo 'set Dog#2.age += 1; print Dog#2.age' | herald pets.hdb --echo"],
      output: "> set Dog#2.age += 1\n> print Dog#2.age\n8\n"),
    Example(
      purpose: "Copy objects from one store to another:",
      lines: [
        "herald pets.hdb -c 'export Dog sort(name) to dogs.csv'",
        "herald more.hdb -c 'class Dog { id: int primary; name: string; age: int }' \\",
        "    -c 'import dogs.csv into Dog' -c 'print Dog'",
      ],
      output: """
        Dog#2 {id: 2, name: "Rex", age: 8}
        Dog#1 {id: 1, name: "Wolfie", age: 6}

        """),
    Example(
      purpose: "Save a store as a script, and rebuild it:",
      lines: [
        "herald pets.hdb -c 'dump to pets.herald'",
        "herald copy.hdb -f pets.herald -c 'count Dog'",
      ],
      output: "2\n"),
    Example(
      purpose: "Run a script by its name:",
      lines: [
        "{ echo '#!/usr/bin/env -S herald -f'; cat walk.herald; } > walk",
        "chmod +x walk",
        "./walk",
      ],
      output: """
        old: initial 1 row
        old: insertions [1]
        max: change name "Max" -> "Wolfie"
        max: change age 3 -> 6

        """),
  ]

  static var examples: String {
    var lines = [".Sh EXAMPLES", "A session in one script,", ".Pa walk.herald :"]
    lines += Mdoc.literal(walk.split(separator: "\n").map(String.init))
    for example in shellExamples {
      lines += [".Pp"] + Mdoc.filled(example.purpose) + Mdoc.literal(example.lines)
    }
    lines += [".Pp", "In the shell,", ".Ic tour", "explains step by step what can be observed."]
    return lines.joined(separator: "\n")
  }
}
