extension CommandReference {
  static let outputCommands: [Command] = [
    Command(
      "show",
      ["show QUERY | OBJECT | COLLECTION", "show QUERY { EXPRESSION [as NAME], ... }"],
      "show objects as a table",
      [
        "Braces choose the columns: each is an expression over the rows, and has its text or the "
          + "name after as in its heading.",
        "After any statement | and a command of the system's shell, up to the end of the line, gives its "
          + "output to that program; > and a file's name writes it to the file: show Dog | sort -r",
      ],
      examples: [
        "show Dog { name, owner.name, age * 7 as dogYears }", "show Dog where age > 3 sort(name)",
        "show $p.dogs",
      ]),
    Command(
      "count", ["count QUERY | COLLECTION"], "print how many there are", examples: ["count Dog"]),
    Command(
      "group",
      [
        "[show | count] group QUERY by PATH [as NAME], ... { NAME: AGGREGATE, ... }",
        "group QUERY by PATH { ... } [sort(NAME [desc], ...)] [offset(N)] [limit(N)]",
      ],
      "show the groups of the rows of a query, with aggregates",
      [
        "There is one row for each combination of the values of the paths, which follow single links and "
          + "may end in .year, .lower and the like. "
          + "The aggregates are @count, @sum.PATH, @avg.PATH, @min.PATH, @max.PATH, @median.PATH, "
          + "@percentile(0.9).PATH, @stddev.PATH and @distinct.PATH; they skip nil: of no values a sum and a number of "
          + "different values are 0 and the others are nil. Sums and averages of doubles are rounded once, whatever "
          + "the order. "
          + "Without sort the order is that of the values of the paths, nil first.",
        "observe group is notified of groups as of sorted results: a row is inserted with its first "
          + "member, deleted with its last, and modified when an aggregate differs at a commit.",
      ],
      examples: [
        "group Dog by owner.name as owner { n: @count, oldest: @max.age } sort(n desc) limit(3)",
        "group Dog by name.length as letters { n: @count }",
        "observe group Dog by owner { n: @count } as owners",
      ]),
    Command(
      "print", ["print VALUE, ..."], "print values, objects as literals that can be typed back",
      [
        "Values are separated by spaces, and strings are printed without quotes. A collection of "
          + "objects that is printed alone is one object a line.",
        "A statement that is only an expression shows a query, and prints any other value: "
          + "Dog where age > 3, $max.name, 5 + 3. An int divided by zero is an error, except in a "
          + "predicate, where it is infinite.",
      ],
      examples: ["print $max.name, $max.age + 1"]),
    Command(
      "mode", ["mode text | line | csv | jsonl | markdown | json"], "set the format of the output",
      [
        "line writes one property a line, csv, jsonl and markdown write tables for other programs, "
          + "and json writes all output as one JSON object a line. What csv and jsonl, one JSON "
          + "object a row, write of objects, import takes back. At a terminal a table of mode text "
          + "is cut to the window."
      ]),
    .details,
    Command(
      "timing", ["timing on | off"], "set whether the time of each statement is printed",
      ["The time includes the deliveries after the statement. It is not printed in JSON."],
      examples: ["timing on"]),
    Command(
      "help", ["help [WORD]", "help examples"], "list the commands, or describe a word",
      [
        "WORD is a command, a keyword such as where or BETWEEN, or a section of the manual page "
          + "herald-language(7): dates, types, predicates, key paths. help examples shows the store "
          + "that the examples use, as statements that make it.",
        "herald help WORD prints the same from the command line.",
      ], examples: ["help where", "help key paths"]),
    Command(
      "tour", ["tour"], "learn in five minutes what can be observed, step by step",
      [
        "It runs on a store of its own and explains each event. At the prompt Enter continues with "
          + "the next step and q leaves; a script runs all steps."
      ]),
    Command(
      "history", ["history"], "show the statements typed at the prompt, oldest first",
      [
        "The history is kept between runs, without statements whose first line begins with a space "
          + "and without earlier duplicates."
      ]),
    Command(
      "edit", ["edit [NAME]"], "edit a statement in your editor, and run what was saved",
      [
        "The editor is $VISUAL, or else $EDITOR, or else vi. It opens the last statement, or with NAME "
          + "an alias, a defined query or a projection. If nothing was saved, nothing runs. Only at "
          + "a prompt."
      ]),
    Command(
      "alias", ["alias NAME = STATEMENT", "alias [NAME]"],
      "name the beginning of a statement, or list these names",
      [
        "In later statements, also in blocks, the name, as their first word, stands for the text: "
          + "after alias ll = show Dog, ll where age > 3 shows these dogs. The text is completed like "
          + "the statement that it begins. Aliases last as long as the shell runs; those in the "
          + "start-up file are there at each prompt."
      ], examples: ["alias ll = show Dog sort(name)", "alias"]),
    Command("unalias", ["unalias NAME"], "remove an alias"),
  ]
}
