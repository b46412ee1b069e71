/// The topics on what a statement prints, and on the prompt.
extension LanguageReference {
  /// A part of herald(1).
  static let prompt = Topic(
    "The prompt",
    words: [
      "prompt", "keyboard", "shortcuts", "keys", "completion", "settings", "rc", "colors", "pager",
    ],
    [
      .text(
        "At a terminal herald reads statements from a prompt; a statement continues over several lines while "
          + "a bracket is open. The prompt is the name of the store, with (read-only) if it is opened so, and that of the "
          + "session, with a star while a transaction is open; on further lines of a statement it shows the brackets that are open. "
          + "Leaving with an open transaction rolls it back, and says what is lost. A statement that waits for "
          + "another process's transaction names the process."),
      .item(
        "Tab",
        "Completes the word, or lists its completions: names, the keys of objects and of maps, strings of a "
          + "property, files. Names of classes and properties that the store does not have are red.",
        words: ["tab"]),
      .item(
        "Up  Down",
        "Recall the statements typed earlier, those that begin with the text before the cursor; a statement of "
          + "several lines is recalled as a whole.", words: ["up"]),
      .item("Ctrl-R", "Searches the history.", words: ["ctrl-r"]),
      .item("Ctrl-_", "Undoes a change of the line.", words: ["ctrl-_"]),
      .item(
        "Ctrl-C", "Discards the line, or stops the statement that runs.",
        words: ["ctrl-c", "cancel"]),
      .item("Ctrl-Z", "Suspends herald.", words: ["ctrl-z"]),
      .item("Ctrl-D", "Leaves, as quit does.", words: ["ctrl-d"]),
      .text(
        "'edit' opens the last statement in an editor, and 'alias' names the beginning of a statement. The keys "
          + "are those of emacs, or those of vi where editrc(5) says 'bind -v'. Input typed while a statement "
          + "runs appears at the next prompt. A line that begins with a space is not kept in the history. "
          + "Control characters and bidirectional formatting characters in data, names and messages are shown "
          + "escaped, as in a string; pipes and files receive them unchanged."),
      .text(
        "The statements of the file herald/rc in $XDG_CONFIG_HOME, or in ~/.config, are run first, at a terminal "
          + "only. PAGER shows output that is longer than the window, and NO_COLOR turns colors off; "
          + "herald(1) lists the others."),
    ])

  static let outputTopics = [
    Topic(
      "Results",
      [
        .text(
          "Results and events are printed on standard output, errors on standard error. Statements "
            + "that change something print nothing in a script, and a short confirmation at the "
            + "prompt. At a terminal a query without rows prints 0 rows."),
        .text(
          "A table at a terminal fits the window: cells are cut, and a line below says which columns "
            + "have no room. Rows are written while they are read, and an interruption ends them."),
      ]),
    Topic(
      "Programs and files", words: ["pipe", "redirection", "redirect"],
      [
        .text(
          "After a statement | and a command of sh(1) lets that program read what the statement prints. "
            + "The command takes the rest of the line; in a block it ends before a closing brace that "
            + "it has not opened. > and the name of a file replaces that file with the output, once the "
            + "statement has succeeded. Events of observers are printed as before."),
        .lines([
          "show Dog where age > 3 { name, age } | sort -r", "show Dog where age > 3 > old-dogs.txt",
        ]),
        .text(
          "In print and in expressions > compares, unless what follows is a path that begins with /, "
            + "./, ../ or ~/. After other statements a number, a date, a variable or another value is not "
            + "the name of a file, unless it is in quotes: a comparison never writes a file."),
      ]),
    Topic(
      "Events", words: ["event", "notifications"],
      [
        .text(
          "An event is a line for each kind of change, always in the order below; a kind without "
            + "changes is not printed. Each line begins with the name of the token, preceded by that "
            + "of its session and a slash if it is not main."),
        .item("dogs: initial 3 rows", "The first event of a collection.", words: ["initial"]),
        .item(
          "dogs: deletions [1]", "Rows that were deleted, by their old positions.",
          words: ["deletions"]),
        .item(
          "dogs: insertions [0, 4]", "Rows that were inserted, by their new positions.",
          words: ["insertions"]),
        .item(
          "dogs: modifications [2->1, 5]",
          "Rows that were modified: old and new position, one number if they are equal. A map reports "
            + "keys instead of positions.", words: ["modifications"]),
        .item(
          "dogs: owner deleted",
          "The object that owned the collection was deleted; this is the last event."),
        .item(
          "max: change name \"Max\" -> \"Wolfie\"",
          "A property of an object, a line for each in the order of the schema; of a collection only "
            + "the name is reported."),
        .item("max: deleted", "The object was deleted; this is the last event."),
        .item("s: changed", "A transaction was committed."),
        .item(
          "s: refresh required",
          "Others have committed, and this session does not advance by itself."),
        .item(
          "k: name \"Max\" -> \"Wolfie\"",
          "An event of a property observer, at once when the property is assigned."),
        .item(
          "k: dogs insertion [0]",
          "An event of a property observer of a list: insertion, removal, replacement or setting."),
        .item(
          "due: initial 120.0", "The first event of an observed value."),
        .item("due: 120.0 -> 90.0", "An observed value differs."),
        .item(
          "towns: initial 5 rows in 3 sections", "The first event of rows in sections.",
          words: ["sections"]),
        .item(
          "towns: sections deleted [1]",
          "Sections that were deleted, with all their rows, by their old positions; after the deleted rows those "
            + "that were inserted come, as sections inserted [0], by their new positions."),
        .item(
          "towns: deletions [0.2]",
          "Rows of sections that stay, by the section and the row in it; so are insertions and "
            + "modifications [0.1->0.0]."),
        .item(
          "dogs: error \"the store was replaced\"",
          "The observer cannot be kept up to date any more; this is the last event."),
        .text(
          "To follow a collection: remove the deleted rows from the highest down, insert the new ones "
            + "from the lowest up, and refresh the modified ones. The result is the new collection."
        ),
      ]),
    Topic(
      "Output for programs", words: ["json", "programs"],
      [
        .text("With --json or after 'mode json' everything is one JSON object a line:"),
        .lines([
          "{\"event\":\"initial\",\"token\":\"dogs\",\"session\":\"main\",\"count\":3}",
          "{\"event\":\"update\",\"token\":\"dogs\",\"session\":\"main\",\"deletions\":[1],",
          "  \"insertions\":[0,4],\"modifications\":[2,5],\"modificationsNew\":[1,5],\"moves\":[]}",
          "{\"event\":\"change\",\"token\":\"max\",\"session\":\"main\",",
          "  \"properties\":[{\"name\":\"name\",\"old\":\"Max\",\"new\":\"Wolfie\"}]}",
          "{\"event\":\"deleted\",\"token\":\"max\",\"session\":\"main\"}",
          "{\"event\":\"changed\",\"token\":\"s\",\"session\":\"main\"}",
          "{\"event\":\"refreshRequired\",\"token\":\"s\",\"session\":\"main\"}",
          "{\"event\":\"error\",\"token\":\"dogs\",\"session\":\"main\",",
          "  \"message\":\"the store was replaced\"}",
          "{\"event\":\"initial\",\"token\":\"due\",\"session\":\"main\",\"value\":120.0}",
          "{\"event\":\"value\",\"token\":\"due\",\"session\":\"main\",\"old\":120.0,\"new\":90.0}",
          "{\"event\":\"initial\",\"token\":\"towns\",\"session\":\"main\",\"count\":3,",
          "  \"sections\":[{\"key\":\"Bern\",\"count\":2},{\"key\":\"Rome\",\"count\":1}]}",
          "{\"event\":\"update\",\"token\":\"towns\",\"session\":\"main\",\"sectionDeletions\":[1],",
          "  \"sectionInsertions\":[],\"deletions\":[],\"insertions\":[[0,2]],\"modifications\":[],",
          "  \"modificationsNew\":[],\"moves\":[],\"keys\":{...}}",
          "{\"event\":\"property\",\"token\":\"k\",\"session\":\"main\",\"name\":\"name\",",
          "  \"old\":\"Max\",\"new\":\"Wolfie\"}",
          "{\"event\":\"property\",\"token\":\"k\",\"session\":\"main\",\"name\":\"dogs\",",
          "  \"kind\":\"insertion\",\"rows\":[0]}",
          "{\"result\":[{\"class\":\"Dog\",\"key\":3,\"properties\":{\"name\":\"Max\"}}]}",
          "{\"result\":7}", "{\"result\":[\"Max\",4]}",
          "{\"result\":{\"ok\":true,\"problems\":[]}}",
        ]),
        .text(
          "The events of 'follow' also contain the objects: an initial event has 'rows', an update "
            + "has 'inserted' and 'modified', in the order of 'insertions' and 'modificationsNew'."),
        .text(
          "The five arrays of an update are always present; those of a map contain keys. An update of "
            + "rows that are objects also has 'keys', an object with 'deletions', 'insertions' and "
            + "'modifications': their primary keys, or numbers, parallel to these arrays. 'moves' "
            + "contains [old, new] for each row that only moved, in ascending order of the old "
            + "position. 'session' is the name of the actor of an observer that was registered with "
            + "'on'. 'ownerDeleted' is present only if it is true. A link is an object with 'class' "
            + "and 'key'; dates are ISO 8601 in UTC, data is base64, and decimals, UUIDs and object "
            + "ids are strings. The result of a 'print' of several values is an array of them. An "
            + "error is an object 'error' with 'message', which includes the suggestion, 'file', "
            + "'line' and 'column' on standard error. Keys are never renamed; new ones may be added."
        ),
      ]),
    Topic(
      "Errors", words: ["error messages", "exit status", "exit code"],
      [
        .text(
          "An error names the file, the line and the column, shows the line with a caret under the "
            + "position, and suggests the nearest name:"),
        .lines([
          "walk.herald:3:12: error: class 'Dog' has no property 'nmae'; did you mean 'name'?"
        ]),
        .text(
          "In a script the first error ends the run, with the store as the last commit left it; at "
            + "the prompt only the statement is lost. An error in the block of an observer or of "
            + "'write async' ends a script like any other: what was printed stays, and pending "
            + "notifications are delivered before the script ends."),
        .text(
          "A script's exit status is 0 on success, 1 if a statement failed, 2 for wrong usage, 3 for a "
            + "failed expectation, 4 for a store or a script that could not be opened, 5 for a damaged store "
            + "that check has found, and 130 after an interruption."),
      ]),
  ]
}
