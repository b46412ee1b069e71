extension CommandReference {
  static let logCommands = [
    Command(
      "log", ["log [N] [CLASS]", "log version VERSION"], "list the last commits, or show one",
      [
        "The newest commits come first, 10 without N; with CLASS, those that changed its objects. Each "
          + "line has the version that the commit made, its time, the session and the process, the "
          + "numbers of objects that were inserted (+), modified (~) and deleted (-), and the message.",
        "With version, what one commit did: the objects that it inserted and deleted with their "
          + "values, and for each modified property the value before and after. The first commit of a "
          + "store makes version 1.",
        "In JSON: {\"result\":[{\"version\":42,\"time\":\"...\",\"message\":null,\"session\":\"main\","
          + "\"process\":123,\"classes\":{\"Dog\":{\"inserted\":1,\"modified\":0,\"deleted\":2}}}]}, and "
          + "for one commit \"changes\" in place of \"classes\": [{\"class\":\"Dog\",\"key\":3,"
          + "\"inserted\":{...}},{\"class\":\"Dog\",\"key\":4,\"modified\":{\"age\":[3,4]}},"
          + "{\"class\":\"Dog\",\"key\":5,\"deleted\":{...}}].",
      ], examples: ["log", "log 20 Dog", "log version 2"]),
    Command(
      "keep", ["keep log all | COMMITS | SIZE | TIME"], "set how much of the log the store keeps",
      [
        "SIZE is a number with kB, MB or GB, TIME one with d, h, m or s, COMMITS a number alone. The "
          + "default is 64MB: some hundred thousand commits of a property. A record takes about 40 "
          + "bytes besides the old values of what the commit changed and the values of deleted objects; "
          + "writing it costs a commit less than a tenth of its time. A store in memory keeps records "
          + "in memory. The setting is the store's and makes no version; later commits remove what is "
          + "over the limit.",
        "A version that is not kept is an error that names the oldest one that is. A change of classes "
          + "that drops or converts more than 64 MB of values ends what can be read of the time before "
          + "it.",
      ], examples: ["keep log 7d", "keep log 1GB", "keep log 10000", "keep log all"]),
    Command(
      "version", ["version"], "print the number of the last commit",
      [
        "A new store is at version 0; every commit, one without changes too, makes the next."
      ], examples: ["version"]),
    Command(
      "diff", ["diff VERSION VERSION QUERY"], "print what changed in a query between two versions",
      [
        "The first version is the older one. The result is that of an update event, from end to end: "
          + "what was changed and changed back is no modification, and only properties of the rows' own "
          + "count. Versions are numbers, negative ones counted back from the last commit, or times."
      ], examples: ["diff -2 -1 Dog sort(name)"]),
    Command(
      "undo", ["undo [VERSION]"], "take back the last commit, or the one that made VERSION",
      [
        "The inverse of the changes is a commit of its own, of which observers are notified. Deleted "
          + "objects get their numbers again. Without a version it is the last commit that is not "
          + "undone, whichever session made it: undo twice goes two back.",
        "Where a later commit has changed the same property, or added or deleted the same object, it is "
          + "an error that names the objects; changes of classes cannot be undone.",
      ], examples: ["delete $b; undo"]),
    Command(
      "redo", ["redo"], "take back the last undo, unless another commit came after it",
      examples: ["delete $b; undo; redo"]),
  ]
}
