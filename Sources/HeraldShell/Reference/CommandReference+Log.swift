extension CommandReference {
  static let logCommands: [Command] = [
    Command(
      "log", ["log [N] [CLASS]", "log version VERSION"], "list the last commits, or show one",
      [
        "The newest commits come first, 10 without N; with CLASS, those that changed its objects, even if "
          + "it was dropped since. Each line has the version that the commit made, the numbers of "
          + "objects that were inserted (+), modified (~) and deleted (-), the message, the time, the "
          + "session and the process, and the size of its record in bytes.",
        "With version, what one commit did: the objects that it inserted (+) and deleted (-) with their "
          + "values, and of the modified ones (~) each property before and after; of a list the rows "
          + "that were inserted (+[2]), removed (-[0]), replaced ([1]:) and moved ([0→3]). Of a change "
          + "of classes also these, and what it did to the objects. The first commit of a store makes "
          + "version 1.",
        "In JSON: {\"result\":[{\"version\":42,\"time\":\"...\",\"message\":null,\"session\":\"main\","
          + "\"process\":123,\"size\":42,\"classes\":{\"Dog\":{\"inserted\":1,\"modified\":0,"
          + "\"deleted\":2}}}]}, \"reverts\" for the version that an undo or a redo takes back, and for "
          + "one commit also \"changes\": [{\"class\":\"Dog\",\"key\":3,"
          + "\"inserted\":{...}},{\"class\":\"Dog\",\"key\":4,\"modified\":{\"age\":[3,4]}},"
          + "{\"class\":\"Dog\",\"key\":5,\"deleted\":{...}}]. A change of classes has "
          + "\"schemaChanged\":true, all classes as \"schema\", and what it did to objects as "
          + "\"altered\", in the form of changes, by the names of properties before and after.",
      ], examples: ["log", "log 20 Dog", "log version 2"]),
    Command(
      "keep", ["keep log all | COMMITS | SIZE | TIME", "keep log"],
      "set how much of the log the store keeps",
      [
        "SIZE is a number with kB, MB, GB or TB, TIME one with w, d, h, m or s, COMMITS a number alone. "
          + "Without any of them the setting is printed. The default is 64MB. The setting is the "
          + "store's and makes no version; later commits remove what is over the limit.",
        "A record takes 35 to 45 bytes, and besides them the old values of what the commit changed, the "
          + "values of deleted objects, and the message; in the file each takes some 30 bytes more. So "
          + "64MB are more than a million commits of one number. A store in memory keeps records in "
          + "memory, where one of one number takes some 150 bytes and 64MB are about 330,000.",
        "Keeping a record costs a commit that changes one number 7 % of its instructions in memory, and 10 % "
          + "in a file, of what is not the system's: some 3 microseconds, where a durable commit waits for the "
          + "disk for a quarter of a millisecond or longer. The time, the session "
          + "and the process are 20 bytes of a record. One record serves both directions, with the values "
          + "before the commit alone: those after it are in later records or in the store.",
        "A version that is not kept is an error that names the oldest one that is. A change of classes "
          + "that drops or converts more than 64 MB of values ends what can be read of the time before "
          + "it.",
      ], examples: ["keep log 7d", "keep log 1GB", "keep log 10000", "keep log all"]),
    Command(
      "version", ["version [at TIME]"], "print the number of the last commit",
      [
        "A new store is at version 0; every commit, one without changes too, makes the next. With at, "
          + "the last commit not later than TIME. A commit is never earlier than the one before it, "
          + "unless the clock was set back by more than a minute. In an expression version is that "
          + "number, too: 'let $before = version'."
      ], examples: ["version", "version at 2040-01-01"]),
    Command(
      "diff", ["diff VERSION VERSION QUERY"], "print what changed in a query between two versions",
      [
        "The first version is the older one. The result is that of an update event, from end to end: "
          + "what was changed and changed back is no modification, and only properties of the rows' own "
          + "count. Versions are numbers, negative ones counted back from the last commit, or times. "
          + "A class that one of them lacks has no rows there.",
        "QUERY may also be a collection: a map is compared by its keys, lists and sets of values by "
          + "their values.",
        "The cost is that of the changes in between and, where QUERY has a condition, of counting it once; "
          + "with sort, distinct, offset or limit, of a collection, and after a change of classes, that "
          + "of reading all rows at both versions.",
      ], examples: ["diff -2 -1 Dog sort(name)"]),
    Command(
      "undo", ["undo [VERSION]"], "take back the last commit, or the one that made VERSION",
      [
        "The inverse of the changes is a commit of its own, of which observers are notified. Deleted "
          + "objects get their numbers again. Without a version it is the last commit that is not "
          + "undone, whichever session made it: undo twice goes two back.",
        "Where a later commit has changed the same property, deleted an object that it linked to, or "
          + "added one with the primary key of a deleted one, it is an error that names the objects and "
          + "the reason; changes of classes cannot be undone. Undo and redo do not run in transactions.",
      ], examples: ["delete $b; undo"]),
    Command(
      "redo", ["redo"], "take back the last undo, unless another commit came after it",
      examples: ["delete $b; undo; redo"]),
  ]
}
