extension CommandReference {
  static let scriptCommands: [Command] = [
    Command(
      "expect",
      [
        "expect TOKEN initial N [row | rows]",
        "expect TOKEN [deletions [ROW, ...]] [insertions [ROW, ...]] "
          + "[modifications [OLD->NEW, ...]] [owner deleted]",
        "expect TOKEN change NAME, ...", "expect TOKEN NAME OLD -> NEW",
        "expect TOKEN NAME insertion | removal | replacement | setting [ROW, ...]",
        "expect TOKEN deleted | changed | refresh required", "expect TOKEN error \"MESSAGE\"",
        "expect nothing", "expect PREDICATE", "expect error \"TEXT\" { STATEMENTS }",
      ], "check an event, a predicate or an error",
      [
        "The next event of a token that no expect has accounted for must be exactly the one "
          + "described. expect nothing: there is none. The error of a block, which is parsed when "
          + "it runs, must contain TEXT. A failed expectation ends a script with status 3, and "
          + "reports what was seen and how it differs."
      ],
      examples: [
        "expect dogs initial 3", "add Dog { id: 14 }", "expect dogs insertions [3]",
        "expect $max.age == 3",
        "expect error \"no property\" { set $max.nmae = \"x\" }",
      ]),
    Command(
      "if", ["if PREDICATE { STATEMENTS } [else { STATEMENTS }]"],
      "run a block if a predicate is true",
      [
        "A Boolean, such as inTransaction, is a predicate by itself; so is an object, which is true "
          + "if it has not been deleted. $d == nil and $d.isInvalidated ask the same of a variable."
      ],
      examples: [
        "if Dog.@count > 3 { print \"a pack\" }", "if not inTransaction { print \"none\" }",
        "if $max { print $max.name }",
      ]),
    Command(
      "for", ["for $NAME in QUERY | COLLECTION | group ... | [ VALUE, ... ] { STATEMENTS }"],
      "run a block once for each element",
      [
        "The elements are those at the beginning, whatever the block changes; those of a map are "
          + "its keys, those of group its rows, each with a value for each column. In the block of an object's observer the elements of $properties have a "
          + "name, an oldValue and a newValue, which are nil for a collection."
      ],
      examples: [
        "for $d in Dog where age > 3 { print $d.name }",
        "observe $max as m do { for $p in $properties { print $p.name, $p.newValue } }",
      ]),
    Command(
      "read", ["read FILE"], "run the statements of a file",
      [
        "A relative path starts from the folder of the file that contains the statement; at the "
          + "prompt, in -c and in a pipe, from the current folder. A file that is being read "
          + "cannot be read again, by whatever path: the error names the files of the cycle."
      ]),
    importCommand, exportCommand,
    Command(
      "dump", ["dump [at VERSION] [to FILE]"], "write the store as a script that rebuilds it",
      [
        "The classes come first, then the objects in order of creation, then their links. Run it on "
          + "an empty store."
      ], examples: ["dump to pets.herald"]),
    Command("quit", ["quit"], "leave the shell"),
    Command("exit", ["exit"], "leave the shell, like quit"),
  ]
}
