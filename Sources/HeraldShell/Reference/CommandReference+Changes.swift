extension CommandReference {
  static let changeCommands: [Command] = [
    Command(
      "add",
      ["add CLASS { NAME: VALUE, ... } [as $NAME]", "add CLASS [ {...}, {...} ]", "add $NEW"],
      "add one object, or several, all or none",
      [
        "The third form adds an object that was made with new. Where a link is expected, an object "
          + "in braces is added and linked; an object in the store is written with its key, as in owner: "
          + "Person#2. A date is written as 2026-02-28 is, with a time as 2026-02-28@10:00:00 is."
      ],
      examples: [
        "add Dog { id: 1, name: \"Max\", age: 3 } as $max", "add Dog [ {id: 2}, {id: 3} ]",
      ]),
    Command(
      "new", ["new CLASS { ... } as $NAME"], "create an object that is not in the store yet",
      [
        "It is added together with everything that it links to: nested objects in braces, and "
          + "objects in variables that are not in the store yet, also in cycles. Assigning it to a "
          + "property of an object in the store adds it too.",
        "When the transaction that adds it is rolled back, using the variable is an error; no other "
          + "object gets its number, and it may be added again.",
      ],
      examples: ["new Dog { id: 9 } as $d", "add $d"]),
    Command(
      "upsert", ["upsert CLASS { ... }"], "update the object with the same primary key, or add it",
      examples: ["upsert Dog { id: 1, age: 4 }"]),
    Command(
      "set",
      [
        "set PATH = VALUE", "PATH = VALUE", "PATH += VALUE", "set OBJECT { NAME: VALUE, ... }",
        "set QUERY { NAME: VALUE, ... }", "set autocommit on | off",
      ], "change properties of one object, or of all that match a query",
      [
        "A path begins with a variable or an object: $max.age, Dog#3.owner.name, $p.dogs[1], "
          + "$p.scores[\"a\"]; it also leads into the lists and maps of a value of any type. "
          + "Numbers may also be changed by -=, *= and /=. With autocommit off, a change outside a "
          + "transaction is an error."
      ],
      examples: ["set $max.age = 4", "$max.age += 1", "set Dog where age < 1 { name: \"puppy\" }"]),
    Command(
      "delete", ["delete OBJECT", "delete QUERY"], "delete an object, or all that match a query",
      [
        "Links to a deleted object become nil, and the object is removed from every list and set, "
          + "including those in a value of type any; in a map the value of its key becomes nil. A "
          + "prompt asks before more than 1,000 objects are deleted."
      ],
      examples: ["delete $max", "delete Dog where age > 20"]),
    Command(
      "let",
      [
        "let $NAME = VALUE", "$NAME = VALUE", "let $NAME = freeze VALUE",
        "let $NAME = freeze [at VERSION]",
        "let $NAME = observe ...",
      ],
      "name a value, an object or a live collection",
      [
        "All sessions share a variable; its object is resolved in the session that uses it.",
        "With freeze the variable names an immutable snapshot of the object or collection: it and "
          + "everything reached from it stay at this version, the same in every session. A frozen "
          + "value can be read and queried, also together with live ones, but neither observed nor "
          + "changed. With freeze alone, or at a version, it is the whole store at that version: "
          + "'Dog where age > 3 in $f'.",
        "With observe it holds an observer, whose token has the variable's name: when the block "
          + "ends, or the variable gets another value, the observer ends silently.",
      ],
      examples: [
        "let $old = Dog where age > 9 sort(age desc)", "let $first = (Dog sort(name))[0]",
        "let $before = freeze $max", "$n = 4; $n += 1", "let $t = observe Dog",
      ]),
  ]

  static let collectionCommands: [Command] = [
    Command(
      "append", ["append VALUE, ... to LIST"], "add values at the end of a list",
      examples: ["append $a, Dog#12 to $p.dogs"]),
    Command(
      "insert", ["insert VALUE, ... into LIST at ROW", "insert VALUE, ... into SET"],
      "insert values into a list or a set",
      ["Inserting a value that a set already has changes nothing."],
      examples: ["insert $a into $p.dogs at 0", "insert \"x\" into $p.tags"]),
    Command(
      "remove", ["remove LIST[ROW]", "remove MAP[KEY]", "remove VALUE from SET"],
      "remove a row, a key or a value from a collection",
      ["Removing a key or a value that is not there changes nothing."],
      examples: ["remove $p.dogs[2]", "remove $p.scores[\"a\"]", "remove \"x\" from $p.tags"]),
    Command(
      "move", ["move LIST[ROW] to ROW"],
      "move a row of a list to the position that it has "
        + "afterwards",
      examples: ["move $p.dogs[2] to 0"]),
    Command(
      "clear", ["clear COLLECTION"], "remove everything from a list, a set or a map",
      examples: ["clear $p.dogs"]),
  ]

  static let transactionCommands: [Command] = [
    Command(
      "write",
      [
        "write { STATEMENTS }", "write STATEMENT", "write without TOKEN, ... { STATEMENTS }",
        "write async { STATEMENTS }", "write message TEXT { STATEMENTS }",
      ], "make changes in one transaction",
      [
        "If a statement fails, everything is rolled back. Observers named after without are not "
          + "notified of this transaction. An async write runs after the present turn. Blocks that "
          + "write in reaction to one another's writes get an error after a thousand writes. The log "
          + "keeps the text after message."
      ],
      examples: [
        "write { set $max.age = 4; add Dog { id: 7 } }", "write without dogs { delete $max }",
        "write message \"a birthday\" { $a.age += 1 }",
      ]),
    Command("begin", ["begin"], "begin a transaction that lasts until commit or rollback"),
    Command(
      "commit", ["commit [without TOKEN, ...] [message TEXT]"],
      "end the transaction and keep its changes"),
    Command("rollback", ["rollback"], "end the transaction and undo its changes"),
  ]
}
