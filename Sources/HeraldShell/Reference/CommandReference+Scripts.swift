extension CommandReference {
  static let scriptCommands = [
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
      "for", ["for $NAME in QUERY | COLLECTION | [ VALUE, ... ] { STATEMENTS }"],
      "run a block once for each element",
      [
        "The elements are those at the beginning, whatever the block changes; those of a map are "
          + "its keys. In the block of an object's observer the elements of $properties have a "
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
    Command(
      "import", ["import FILE into CLASS, ..."], "add objects from a JSON or CSV file, all or none",
      [
        "The file holds a JSON array of objects, one JSON object a line, or comma-separated values "
          + "with a header. Names are those of the properties; links are given by primary key, "
          + "lists and sets as arrays, maps and embedded objects as objects, dates as ISO 8601, "
          + "data as base64, decimals, uuids and object ids as they print. In a property of type "
          + "any, the only member of an object may name a type that JSON lacks: $date, $data, "
          + "$decimal, $float, $double, $uuid, $oid, $link.",
        "Links may refer to later objects, in this file or another of the same import. An object "
          + "without a primary key is linked to by the number that the file gives it as $key, or "
          + "else by its number in the store.",
      ], examples: ["import dogs.csv into Dog", "import a.json into Dog, b.json into Person"]),
    Command(
      "export", ["export QUERY [{ EXPRESSION [as NAME], ... }] to FILE"],
      "write objects to a file that import reads",
      [
        "The file name extension selects the format: .json, .jsonl or .ndjson, .csv. An existing "
          + "file is replaced once the new one is complete. Braces choose columns, as for show."
      ],
      examples: [
        "export Dog { name, owner.name as owner } to names.csv",
        "export Dog where age > 3 sort(name) to dogs.csv",
      ]),
    Command(
      "dump", ["dump [to FILE]"], "write the store as a script that rebuilds it",
      [
        "The classes come first, then the objects in order of creation, then their links. Run it on "
          + "an empty store."
      ], examples: ["dump to pets.herald"]),
    Command("quit", ["quit"], "leave the shell"),
    Command("exit", ["exit"], "leave the shell, like quit"),
  ]
}
