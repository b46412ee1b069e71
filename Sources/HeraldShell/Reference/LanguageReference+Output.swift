/// The topics on what a statement prints.
extension LanguageReference {
  static let outputTopics = [
    Topic(
      "Results",
      [
        .text(
          "Results and events are printed on standard output, errors on standard error. Statements "
            + "that change something print nothing in a script, and a short confirmation at the "
            + "prompt."),
        .text(
          "A table at a terminal fits the window: cells are cut, and a line below says which columns "
            + "have no room. Rows are written while they are read, and an interruption ends them."),
      ]),
    Topic(
      "Programs and files", words: ["pipe", "redirection"],
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
            + "./, ../ or ~/. After other statements a number, a date, a variable or another value is no "
            + "name of a file, unless it is in quotes: a comparison never writes a file."),
      ]),
    Topic(
      "Events", words: ["event", "notifications"],
      [
        .text(
          "An event is a line for each kind of change, always in the order below; a kind without "
            + "changes is not printed. Each line begins with the name of the token, preceded by that "
            + "of its session and a slash if it is not main."),
        .item(
          "dogs: initial 3 rows", "The first event of a collection.", words: ["initial"]),
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
          "The five arrays of an update are always present; those of a map contain keys. 'moves' "
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
      "Errors", words: ["error messages"],
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
      ]),
  ]
}
