extension CommandReference {
  static let observerCommands = [
    Command(
      "observe",
      [
        "observe store [as NAME] [do { STATEMENTS }]",
        "observe OBJECT [as NAME] [keypaths PATH, ... | keypaths none] [exclusive] [on ACTOR] "
          + "[do { STATEMENTS }]",
        "observe QUERY [as NAME] [keypaths PATH, ... | keypaths none] [depth N] [on ACTOR] "
          + "[do { STATEMENTS }]",
        "observe property OBJECT.PROPERTY [as NAME]",
        "observe PROJECTION of OBJECT [as NAME] [keypaths NAME, ... | keypaths none]",
      ], "tell what changes",
      [
        "A collection is told first as initial, then by row positions: deletions in the old rows, "
          + "insertions in the new ones, modifications in both.",
        "A map is told by its keys, an object by its changed properties or as deleted.",
        "A list or a map inside an any is told alike, for as long as one stands there.",
        "Key paths restrict what counts as a change; depth says how many links away one is heard.",
        "In a key path * stands for every property but backlinks; before another name, for the links "
          + "and collections of links to a class that has a property of that name.",
        "With on, the observer has a session of that name to itself.",
        "A property observer is told the old and the new value at once when the property is assigned "
          + "in its session, and once for what others did.",
        "A collection is told to it by what happened: insertion, removal, replacement or setting.",
        "OBJECT.invalidated is told when the object is deleted. An observer whose store was replaced, "
          + "lost or damaged is told the error, and ends; its block does not run.",
        "Inside the block stand $object and $properties, or $rows, $deletions, $insertions, "
          + "$modifications and $modificationsNew; for a property $object with $old and $new, or "
          + "with $rows.",
      ],
      examples: [
        "observe Dog where age > 5 sort(age) as old",
        "observe $max as max keypaths name, owner.name",
        "observe $p.dogs as pack do { print $insertions }",
        "observe property $max.name as k", "observe Card of $max as c keypaths title",
      ]),
    Command(
      "follow",
      [
        "follow QUERY [--once] [--count N] [--for TIME]",
        "follow QUERY [as NAME] [keypaths PATH, ... | keypaths none] [depth N] [--once] [--count N] "
          + "[--for TIME]",
        "follow PROJECTION of OBJECT [as NAME] [keypaths PATH, ...] [--once] [--count N] "
          + "[--for TIME]", "follow store [as NAME] [--once] [--count N] [--for TIME]",
      ], "print rows, and then every change of them as it happens",
      [
        "The first event brings the rows, and every other the objects that were inserted and "
          + "modified, below their lines or, in JSON, as rows, inserted and modified: a reader that "
          + "applies them in order has the collection. An object is a single row, also through a "
          + "projection; of the store every commit is told, and no rows.",
        "It goes on with the next statement after --once, when the rows are printed, after --count "
          + "so many updates, after --for so long (500ms, 10s, 5m, 1h), or when what it follows is "
          + "deleted. Otherwise it lasts until Ctrl-C or until nobody reads the output any more.",
        "Changes come from any process. While none does, it waits without using the processor. The "
          + "session advances also with autorefresh off, and other observers are told meanwhile.",
        "It stands outside of writes and of the blocks of observers, in the session main.",
      ],
      examples: [
        "follow Dog where age > 5 sort(name) --once", "follow $max --for 10ms",
        "follow Card of $max --once",
      ]),
    Command(
      "watch", ["watch QUERY [keypaths PATH, ... | keypaths none] [depth N]"],
      "show rows as they change",
      [
        "At a terminal the rows fill the screen and follow every commit, of this program and others. "
          + "For a moment a row that went is red and marked -, a new one green and marked +; of a "
          + "changed one, marked ~, each cell shows its old and its new value; a moved one is marked "
          + "with an arrow. The columns are the key paths, or else the properties.",
        "The arrow keys, j and k, PageUp, PageDown, Home and End scroll, left and right through the "
          + "columns; at the end, rows that come are followed. q and Ctrl-C leave. What other "
          + "observers are told meanwhile is written then.",
        "The last line tells how many rows there are, what the last event told, events a second, and "
          + "how many rows changed in each of the last 20 seconds.",
        "Elsewhere, and in mode json, it observes as observe does, and prints events.",
      ],
      examples: ["watch Dog where age > 5 sort(name)", "watch Dog keypaths name, owner.name"]),
    Command("tokens", ["tokens"], "list the observers that are alive"),
    Command(
      "events", ["events [NAME]"], "show the last events again, of one observer or of all",
      [
        "At a prompt the events of other processes' commits stand above the line that is being "
          + "typed, as soon as they happen; more than 200 lines at once are counted instead. The "
          + "last 10,000 events are kept."
      ], examples: ["events dogs"]),
    Command(
      "why", ["why NAME"], "say why the last commit did, or did not, reach an observer",
      [
        "It was told, and of what; or it was not: a key path was not touched, the change is too "
          + "deep, the object is no row (it does not match, is not in the collection, lies beyond "
          + "the limit, or equals a row where rows are distinct), what it observes is as it was "
          + "before, the observer was silenced, the session was not refreshed, or the observer is "
          + "dead. Of several commits that were told as one the last alone counts."
      ], examples: ["why dogs"]),
    Command(
      "explain", ["explain NAME", "explain QUERY"],
      "describe what stands behind an observer, or how a query is answered",
      [
        "What is kept up to date, the classes, properties and paths of which a change may concern "
          + "it, its rows, the memory they take, how often it was told, and the time that took.",
        "A query is answered, and each step told with the objects that came out and those that "
          + "were expected: by the primary key or an index, through links, or by a scan of every "
          + "block of the class. The blocks that their zones answer are those of which the least "
          + "and the greatest value are enough to know. A name that is a live observer's is taken "
          + "for it.",
      ],
      examples: ["explain dogs", "explain Dog where owner.name == \"Ann\" sort(age) limit(10)"]),
    Command(
      "invalidate", ["invalidate NAME, ...", "invalidate all"], "stop observers"),
    Command(
      "refresh", ["refresh"], "advance the session to the newest version and tell what is owed"),
    Command(
      "autorefresh", ["autorefresh on | off"],
      "say whether the session advances at the end of each turn"),
  ]

  static let sessionCommands = [
    Command(
      "@", ["@NAME STATEMENT"], "run a statement on another session, made at first use",
      ["Each session is a thread of its own with its own view of the store."],
      examples: ["@bg add Dog { id: 8 }"]),
    Command("sessions", ["sessions"], "list the sessions"),
    Command("session", ["session NAME"], "make a session the current one"),
  ]

  static let outputCommands = [
    Command(
      "show", ["show QUERY | OBJECT | COLLECTION"], "show objects as a table",
      examples: ["show Dog where age > 3 sort(name)", "show $p.dogs"]),
    Command(
      "count", ["count QUERY | COLLECTION"], "print how many there are", examples: ["count Dog"]),
    Command(
      "print", ["print VALUE, ..."], "print values, objects as literals that can be typed back",
      examples: ["print $max.name, $max.age + 1"]),
    Command(
      "mode", ["mode text | line | csv | markdown | json"], "say how output is written",
      [
        "line writes a property a line, csv and markdown write tables for other programs, and json "
          + "writes all output as one JSON object a line. At a terminal a table of mode text is cut "
          + "to the window."
      ]),
    Command(
      "details", ["details on | off"], "say whether events tell what happened to each row",
      [
        "Below each line of an event stands what it is about, row by row: what was deleted and "
          + "inserted, and which properties changed, of the object in the row or, by path, of those that "
          + "it links to, with their old and new values. In JSON an update has a member details with "
          + "deletions, insertions and modifications: arrays of objects with row (a position, a map's "
          + "key), old, new, and properties (name, old and new of each). While details are on, what "
          + "stands in the rows of observed collections is kept in memory."
      ], examples: ["details on"]),
    Command(
      "timing", ["timing on | off"], "say whether the time that each statement took is written",
      ["The time includes what was told after the statement. It is not written in JSON."],
      examples: ["timing on"]),
    Command(
      "help", ["help [WORD]", "help examples"], "list the commands, or describe one",
      ["help examples shows the store that the examples use, as statements that make it."]),
    Command(
      "tour", ["tour"], "show in five minutes what can be observed, step by step",
      [
        "It runs on a store of its own, and explains what is told. At the prompt Enter goes on to "
          + "the next step and q leaves; a script runs through it."
      ]),
    Command(
      "history", ["history"], "show the statements typed at the prompt, oldest first",
      [
        "They are kept between runs. A statement whose first line begins with a space is not, nor is "
          + "an earlier one that is typed again."
      ]),
  ]

  static let scriptCommands = [
    Command(
      "expect",
      [
        "expect TOKEN initial N",
        "expect TOKEN [deletions [ROW, ...]] [insertions [ROW, ...]] "
          + "[modifications [OLD->NEW, ...]] [owner deleted]",
        "expect TOKEN change NAME, ...", "expect TOKEN NAME OLD -> NEW",
        "expect TOKEN NAME insertion | removal | replacement | setting [ROW, ...]",
        "expect TOKEN deleted | changed | refresh required",
        "expect nothing", "expect PREDICATE", "expect error \"TEXT\" { STATEMENTS }",
      ], "check what was told, what holds, or what fails",
      [
        "The event of a token that no expect has accounted for must be exactly the one described. "
          + "expect nothing: there is none. The error of a block must hold TEXT. A failed "
          + "expectation ends a script with status 3, and tells what was seen and how it differs."
      ],
      examples: [
        "expect dogs initial 3", "add Dog { id: 14 }", "expect dogs insertions [3]",
        "expect $max.age == 3",
        "expect error \"no property\" { set $max.nmae = \"x\" }",
      ]),
    Command(
      "if", ["if PREDICATE { STATEMENTS } [else { STATEMENTS }]"],
      "run a block where a predicate holds",
      examples: ["if Dog.@count > 3 { print \"a pack\" }"]),
    Command(
      "read", ["read FILE"], "run the statements of a file",
      [
        "A relative path begins in the folder of the file that holds the statement; at the prompt, "
          + "in -c and in a pipe, in the present folder. A file that is being read cannot be read "
          + "again, by whatever path: the error names the files of the circle."
      ]),
    Command(
      "import", ["import FILE into CLASS, ..."], "add objects from a JSON or CSV file, all or none",
      [
        "The file holds a JSON array of objects, one JSON object a line, or comma-separated values "
          + "with a header. Names are those of the properties; links are given by primary key, "
          + "lists and sets as arrays, maps and embedded objects as objects, dates as ISO 8601, data "
          + "as base64, decimals, uuids and object ids as they print. In an any the only member of "
          + "an object may name a type that JSON has not: $date, $data, $decimal, $float, $double, "
          + "$uuid, $oid, $link.",
        "Links may lead to objects that come later, in this file or another of the same import. An "
          + "object without a primary key is linked to by the number that it has there as $key, or "
          + "else by its number in the store.",
      ], examples: ["import dogs.csv into Dog", "import a.json into Dog, b.json into Person"]),
    Command(
      "export", ["export QUERY to FILE"], "write objects to a file that import reads",
      [
        "The name's ending tells the format: .json, .jsonl or .ndjson, .csv. The file takes the "
          + "place of an older one once it is whole."
      ], examples: ["export Dog where age > 3 sort(name) to dogs.csv"]),
    Command(
      "dump", ["dump [to FILE]"], "write the store as a script that rebuilds it",
      [
        "The classes come first, then the objects in order of creation, then their links. Run it on "
          + "an empty store."
      ], examples: ["dump to pets.herald"]),
    Command("quit", ["quit"], "leave"),
  ]
}
