extension CommandReference {
  static let storeCommands = [
    Command(
      "open", ["open", "open PATH [read-only]"], "open a new store in memory, or the one at PATH",
      [
        "The store that is open is closed once the new one is. A path that holds no file becomes a "
          + "new store, unless it is opened read-only."
      ], examples: ["open pets.hdb", "open", "open pets.hdb read-only"]),
    Command(
      "close", ["close"], "close the store; its observers end silently"),
    Command(
      "check", ["check [FILE]"], "look for damage in the store, or in the one in FILE",
      [
        "Every record is read and compared with every other that must agree with it. It prints ok, "
          + "or one problem a line; problems end a script with status 5. FILE is only read, and "
          + "programs that have it open go on; one that cannot be opened because it is damaged has "
          + "that for its problem.",
        "herald check FILE does the same from the command line.",
      ], examples: ["check", "backup to pets.hdb", "check pets.hdb"]),
    Command(
      "backup", ["backup to PATH", "backup to PATH since VERSION"],
      "copy the store into a new file, or bring such a copy up to date",
      [
        "The copy is a store at the newest version, readable by its owner alone, without the free "
          + "pages of the original. Others go on writing meanwhile, and where it is stopped or the "
          + "disk is full nothing is left. PATH must be free. A store in memory is saved so.",
        "With since, PATH is a backup of this store that is at VERSION: only what differs is "
          + "written to it, in one transaction. One that is at another version, is not of this "
          + "store or was written to is refused.",
        "cp of a store that somebody writes to makes a file that is damaged.",
      ], examples: ["backup to pets.hdb"]),
    Command(
      "readers", ["readers"], "list who holds which version of the store, and what that costs",
      [
        "A session that is at a version keeps the pages of that version, and of all later ones, from "
          + "being used again: the file grows with every commit. Each line names the process, the "
          + "session, the version, since when it is held, and how many bytes that keeps.",
        "Sessions that wait for input, for news or for a slow reader of their output hold none. One "
          + "with autorefresh off keeps its version until refresh, and what is frozen keeps its own "
          + "for as long as a variable holds it.",
      ], examples: ["readers"]),
    Command(
      "compact", ["compact"], "give the free pages of the store's file back to the disk",
      [
        "The store is copied beside itself without the pages that no version needs, and the copy takes "
          + "its place at once: when the power fails, the old file or the new one is there. Until it "
          + "is done the disk needs room for both. Writers wait meanwhile; readers do not.",
        "Other sessions and programs that have the store open go on with the new file by themselves, "
          + "and miss nothing that they observe. What holds a version goes on with the old file, "
          + "whose room is given back when nobody reads it any more.",
      ], examples: ["backup to pets.hdb", "open pets.hdb; compact"]),
    Command(
      "class", ["class NAME { PROPERTY: TYPE; ... }"], "declare a class",
      [
        "Types are bool, int, float, double, decimal, string, data, date, uuid and objectid, each "
          + "with a question mark where it may be nil; any, which holds a value of any type, lists "
          + "and maps among them, or nil; and the name of a class, which is a link and may always "
          + "be nil. Collections are list<T>, set<T>, map<T> with strings as keys, and "
          + "backlinks<CLASS.PROPERTY>, the objects whose property links here, which the store "
          + "keeps. After the type: = DEFAULT, primary, indexed. Properties are separated by "
          + "semicolons or newlines.",
        "Literals are 3, 2.5, inf, nan, \"text\", true, nil, 2026-11-21@10:30:00, "
          + "binary(\"BASE64\"), uuid(\"...\") and oid(\"...\"); uuid() and oid() make new ones, "
          + "as defaults one for each object. "
          + "Lists and sets are written [A, B], maps {KEY: VALUE, ...}.",
      ],
      examples: [
        "class Cat { id: int primary; name: string; age: int? = 0; home: House; tags: list<string> }",
        "class House { id: uuid primary; rooms: map<int>; cats: backlinks<Cat.home> }",
      ]),
    Command(
      "embedded", ["embedded class NAME { PROPERTY: TYPE; ... }"],
      "declare a class whose objects are parts of one other object",
      [
        "A part is made by a literal where its owner is given it, and goes with its owner or when "
          + "another takes its place. Parts may hold parts, 100 in one another at most."
      ],
      examples: [
        "embedded class Collar { colour: string; size: int? }",
        "set $ann.address = { city: \"Bree\" }",
      ]),
    Command(
      "projection", ["projection NAME of CLASS { NAME: PATH; ... }"],
      "name properties of a class, and paths from it",
      [
        "NAME of OBJECT is the object seen so: it can be shown, kept by let, written through and "
          + "observed."
      ],
      examples: [
        "projection Sign of Dog { label: name; city: owner.address.city }", "let $s = Sign of $max",
        "set $s.label = \"Wolfie\"",
      ]),
    Command(
      "alter", ["alter CLASS { CHANGE; ... }"], "change a class, and its objects with it",
      [
        "Changes are add PROPERTY: TYPE, drop PROPERTY, rename PROPERTY to NAME, and PROPERTY: TYPE, "
          + "which declares a property anew: its type, its default, primary and indexed become "
          + "what stands there. All are made or none, and the first object that does not fit is "
          + "named. A property that is added needs a default, or a type that may be nil, where "
          + "there are objects; they get the default.",
        "Where a type changes, every value must fit the new one: numbers round to float, double and "
          + "decimal, an int takes whole numbers only, bool and int meet in 0 and 1, everything "
          + "plain becomes a string as it prints, and a string what it can be read as. A single "
          + "value becomes a list or a set of one, nil an empty one, and back; a map becomes a map.",
        "Backlinks and projections follow a renamed property, and so do observers. A property that a "
          + "projection or backlinks name is not dropped. An alter is no change of an object: "
          + "observers of the store hear it. An observer whose rows were found, ordered or held by "
          + "a property that was dropped, or has another type now, hears that they are all deleted "
          + "and ends.",
      ],
      examples: [
        "alter Dog { add weight: double = 0; rename age to years }",
        "alter Dog { name: string?; years: int = 1 indexed }", "alter Person { drop tags }",
      ]),
    Command(
      "drop", ["drop CLASS", "drop PROJECTION"], "drop a class with its objects, or a projection",
      [
        "Observers hear the deletion of the objects. A class that a property of another class, or a "
          + "projection, names is not dropped."
      ], examples: ["drop Card"]),
    Command(
      "schema", ["schema [NAME]"], "show the classes and projections as they are declared",
      ["What it prints can be typed back."]),
  ]

  static let changeCommands = [
    Command(
      "add",
      ["add CLASS { NAME: VALUE, ... } [as $NAME]", "add CLASS [ {...}, {...} ]", "add $NEW"],
      "add one object, or several, all or none",
      [
        "The third form adds an object that was made with new. Where a link is expected, an object "
          + "in braces is added too and linked to."
      ],
      examples: [
        "add Dog { id: 1, name: \"Max\", age: 3 } as $max", "add Dog [ {id: 2}, {id: 3} ]",
      ]),
    Command(
      "new", ["new CLASS { ... } as $NAME"], "make an object that is not in the store yet",
      [
        "It is added with all that it leads to: objects in braces inside it, and others that are not "
          + "in the store yet and stand in variables, also where they lead back to it. One that a "
          + "property in the store is given is added too.",
        "When the transaction that adds it is rolled back, using the variable is an error; no other "
          + "object gets its number, and it may be added again.",
      ],
      examples: ["new Dog { id: 9 } as $d", "add $d"]),
    Command(
      "upsert", ["upsert CLASS { ... }"], "change the object with the same primary key, or add it",
      examples: ["upsert Dog { id: 1, age: 4 }"]),
    Command(
      "set",
      [
        "set PLACE = VALUE", "PLACE = VALUE", "PLACE += VALUE", "set OBJECT { NAME: VALUE, ... }",
        "set QUERY { NAME: VALUE, ... }", "set autocommit on | off",
      ], "change properties of one object, or of all that answer a query",
      [
        "A place is a path from a variable or an object: $max.age, Dog#3.owner.name, $p.dogs[1], "
          + "$p.scores[\"a\"]; it leads also into the lists and maps of a value of any type. "
          + "With autocommit off, a change outside a transaction is an error."
      ],
      examples: ["set $max.age = 4", "$max.age += 1", "set Dog where age < 1 { name: \"puppy\" }"]),
    Command(
      "delete", ["delete OBJECT", "delete QUERY"], "delete an object, or all that answer a query",
      [
        "Links to a deleted object become nil, and it leaves every list and set, those of an any and "
          + "inside of one too; in a map the value of its key becomes nil."
      ],
      examples: ["delete $max", "delete Dog where age > 20"]),
    Command(
      "let", ["let $NAME = VALUE", "let $NAME = freeze VALUE"],
      "name a value, an object or a live collection",
      [
        "A variable is shared by all sessions, and looked up in the one that uses it.",
        "With freeze it names the object or collection as it is now, for good: it and everything that "
          + "is reached from it stays at this version, the same in every session. It can be read and "
          + "asked, also beside what is not frozen, but neither observed nor changed.",
      ],
      examples: [
        "let $old = Dog where age > 9 sort(age desc)", "let $first = (Dog sort(name))[0]",
        "let $before = freeze $max",
      ]),
  ]

  static let collectionCommands = [
    Command(
      "append", ["append VALUE, ... to LIST"], "put values at the end of a list",
      examples: ["append $a, Dog#12 to $p.dogs"]),
    Command(
      "insert", ["insert VALUE, ... into LIST at ROW", "insert VALUE, ... into SET"],
      "put values into a list or a set",
      ["A value that a set has already changes nothing."],
      examples: ["insert $a into $p.dogs at 0", "insert \"x\" into $p.tags"]),
    Command(
      "remove", ["remove LIST[ROW]", "remove MAP[KEY]", "remove VALUE from SET"],
      "take a row, a key or a value out of a collection",
      ["Removing a key or a value that is not there changes nothing."],
      examples: ["remove $p.dogs[2]", "remove $p.scores[\"a\"]", "remove \"x\" from $p.tags"]),
    Command(
      "move", ["move LIST[ROW] to ROW"], "move a row of a list to its place after the move",
      examples: ["move $p.dogs[2] to 0"]),
    Command(
      "clear", ["clear COLLECTION"], "take everything out of a list, a set or a map",
      examples: ["clear $p.dogs"]),
  ]

  static let transactionCommands = [
    Command(
      "write",
      [
        "write { STATEMENTS }", "write STATEMENT", "write without TOKEN, ... { STATEMENTS }",
        "write async { STATEMENTS }",
      ], "make changes in one transaction",
      [
        "When a statement fails, everything is rolled back. Observers named after without do not "
          + "hear of this transaction. An async write runs after the present turn. Blocks that "
          + "write because of what blocks have written are refused a write after a thousand."
      ],
      examples: [
        "write { set $max.age = 4; add Dog { id: 7 } }", "write without dogs { delete $max }",
      ]),
    Command(
      "begin", ["begin"], "begin a transaction that lasts until commit or rollback"),
    Command("commit", ["commit [without TOKEN, ...]"], "end the transaction and keep its changes"),
    Command("rollback", ["rollback"], "end the transaction and undo its changes"),
  ]
}
