extension CommandReference {
  static let observerCommands: [Command] = [
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
      ], "register an observer and print what changes",
      [
        "An observer of a collection receives initial first, and then updates by row position: "
          + "deletions in the old rows, insertions in the new ones, modifications in both.",
        "A map reports keys instead of rows; an object reports its changed properties, or deleted.",
        "A list or a map in a property of type any is observed alike, for as long as it is there.",
        "Key paths restrict what counts as a change; depth is the number of links that are "
          + "followed to find one.",
        "In a key path * stands for every property but backlinks; before another name, for the links "
          + "and collections of links to a class that has a property of that name.",
        "With on, the observer has a session of its own with that name.",
        "A property observer receives the old and the new value at once when its session assigns "
          + "the property, and once for all changes made by others.",
        "For a collection it receives the kind of the change: insertion, removal, replacement or "
          + "setting.",
        "OBJECT.invalidated notifies when the object is deleted. An observer whose store was "
          + "replaced, lost or damaged receives the error and ends; its block does not run.",
        "Without as, observers are named t1, t2 and so on. No two live observers may have one name, "
          + "and none may be named all, store or none.",
        "The event is printed before the block runs. The block can use $object and $properties, or "
          + "$rows, $deletions, $insertions, $modifications and $modificationsNew; for a property "
          + "$object with $old and $new, or with $rows.",
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
          + "[--for TIME]",
        "follow group QUERY by PATH, ... { ... } ... [--once] [--count N] [--for TIME]",
        "follow store [from VERSION] [--snapshot] [--after-file FILE] [--once] [--count N] "
          + "[--for TIME]",
      ], "print rows, and then every change as it happens",
      [
        "The first event contains the rows, and every later one the objects that were inserted and "
          + "modified, below their lines or, in JSON, as rows, inserted and modified: a reader "
          + "that applies them in order has the collection. An object is a single row, also "
          + "through a projection.",
        "For the store every commit is a line, as 'log version' prints it: in JSON "
          + "{\"result\":{\"version\":42,...,\"changes\":[...]}}. With from, the commits after VERSION come "
          + "first; from 0 is all of them. With --snapshot the objects come first, those of VERSION or "
          + "of now, as inserted ones in lines with \"snapshot\":true, 256 a line and \"more\":true in "
          + "all but the last, and then the commits after them, without a gap.",
        "FILE has the version from which a reader continues: the one at which it began, and then that of "
          + "each line once the line has left. If FILE exists, the commits after that version come "
          + "first, and from and --snapshot do not count. So a reader that is started again misses none. If "
          + "standard output is a regular file, FILE also says where it ended, and no line comes twice. "
          + "Through a pipe, or after a power cut, which brings back an earlier FILE, lines may come again, with "
          + "the same versions. A snapshot that was not finished begins again.",
        "It ends with --once when the rows, or the commits that there are, are printed, with --count "
          + "after that many updates, with --for after that time (500ms, 10s, 5m, 1h), or when the object, or the owner of the "
          + "collection, is deleted. Otherwise it lasts until Ctrl-C or until nobody reads the "
          + "output any more.",
        "Changes may come from any process; between them it waits without using the processor. The "
          + "session advances even with autorefresh off, and other observers are notified "
          + "meanwhile.",
        "It runs only in the session main, outside of transactions and of observers' blocks.",
      ],
      examples: [
        "follow Dog where age > 5 sort(name) --once", "follow $max --for 10ms",
        "follow Card of $max --once",
      ]),
    Command(
      "watch",
      [
        "watch QUERY [keypaths PATH, ... | keypaths none] [depth N]",
        "watch QUERY { EXPRESSION [as NAME], ... } ...",
        "watch group QUERY by PATH, ... { ... } ...",
      ],
      "show a live table of rows",
      [
        "At a terminal the rows fill the screen and follow every commit, of this program and of "
          + "others. For a moment a deleted row is red and marked -, and an inserted one green and "
          + "marked +; a modified one is marked ~, and its changed cells show the old and the new "
          + "value; a moved one is marked with an arrow. The columns are those in the braces, or "
          + "else the key paths, or the properties.",
        "The arrow keys, j and k, PageUp, PageDown, Home and End scroll, left and right through "
          + "the columns; at the end, the view follows new rows. q and Ctrl-C leave. Events of "
          + "other observers are printed afterwards.",
        "The last line shows the number of rows, the last event, the events per second, and how "
          + "many rows changed in each of the last 20 seconds.",
        "Without a terminal, and in mode json, it prints events as observe does.",
      ],
      examples: ["watch Dog where age > 5 sort(name)", "watch Dog keypaths name, owner.name"]),
    Command("tokens", ["tokens"], "list the live observers"),
    Command(
      "events", ["events [NAME]"], "show the last events again, of one observer or of all",
      [
        "At a prompt, events of other processes' commits are printed above the line that is being "
          + "typed, as soon as they happen; of more than 200 lines at once only the number is "
          + "printed. The last 10,000 events are kept."
      ], examples: ["events dogs"]),
    Command(
      "why", ["why NAME"], "explain why the last commit did, or did not, reach an observer",
      [
        "Prints what the observer was notified of, or why it was not: a key path was not touched, "
          + "the change is too deep, the object is not a row (it does not match, is not in the "
          + "collection, lies beyond the limit, or equals a row where rows are distinct), the "
          + "observed values are unchanged, the observer was silenced, the session was not "
          + "refreshed, or the observer is dead. Of several commits that were delivered as one, "
          + "only the last counts."
      ], examples: ["why dogs"]),
    Command(
      "explain", ["explain NAME", "explain QUERY"],
      "describe the state of an observer, or how a query is executed",
      [
        "For an observer: the view that is maintained, the classes, properties and paths whose "
          + "changes may concern it, its rows, the memory they take, the number of deliveries, and "
          + "the time they took.",
        "A query is executed, and each step is printed with the number of objects returned and "
          + "expected: a lookup by the primary key or an index, a walk along links, or a scan of "
          + "every block of the class. Blocks are skipped by their zones where the smallest and "
          + "the largest value decide. A name that both a class and a live observer have is the "
          + "observer's.",
      ],
      examples: ["explain dogs", "explain Dog where owner.name == \"Ann\" sort(age) limit(10)"]),
    Command(
      "invalidate", ["invalidate NAME, ...", "invalidate all"], "stop observers",
      [
        "NAME is the token of an observer: the name that as gave it, or else t1, t2, and so on. tokens lists "
          + "them. A stopped observer prints nothing more."
      ]),
    .refresh,
    .autorefresh,
  ]

  static let sessionCommands: [Command] = [
    Command(
      "@", ["@NAME STATEMENT"], "run a statement on another session, created at first use",
      ["Each session is a thread of its own with its own view of the store."],
      examples: ["@bg add Dog { id: 8 }"]),
    Command("sessions", ["sessions"], "list the sessions"),
    Command("session", ["session NAME"], "make a session the current one"),
  ]
}
