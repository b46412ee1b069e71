extension CommandReference {
  static let storeCommands = [
    Command(
      "open",
      [
        "open", "open PATH [read-only]", "open PATH sync=normal",
        "open \"nats://HOST[:PORT][,HOST...]/STREAM[?replicas=COUNT]\" [cache PATH]",
      ],
      "open a new store in memory, the one at PATH, or one of many machines",
      [
        "The present store is closed once the new one is open. Where there is no file at PATH, the "
          + "store is empty, and its first commit makes the file; leaving it before leaves nothing "
          + "behind. Read-only, a missing file is an error. If another program makes the file first, "
          + "a statement runs again in that file; a transaction that begin has opened is rolled back.",
        "With sync=normal, a commit that changes little does not wait for the disk, as long as no other "
          + "process has the store open. A loss of power or a crash of the system takes the last commits, "
          + "normally those of the last hundredth of a second: never part of one, and never one before "
          + "another that stays. A crash of the program loses nothing. By default, and with sync=full, "
          + "every commit is on the disk when its statement ends.",
        "An address in quotes opens a store that many machines share. Each has all of it in a file of "
          + "its own, PATH or a temporary one, and follows one stream of NATS JetStream, which decides "
          + "the order of commits; the stream is made if it does not exist, on three servers or "
          + "COUNT. A write is committed as soon as the majority of the stream's servers has it; "
          + "whether they have written it to their disks, no program can see. If another machine was faster, its "
          + "block runs again, at most five times; then, and at once in a transaction that begin has "
          + "opened, it fails with 'another machine is writing'. A block that runs again repeats what "
          + "it prints.",
        "Where the servers cannot be reached, reading and observing go on with what is in the file, and "
          + "writing fails: there are no histories that diverge. tls:// in place of nats:// asks for TLS. "
          + "Credentials come from the environment, never from the address: HERALD_NATS_USER and "
          + "HERALD_NATS_PASSWORD, HERALD_NATS_TOKEN, HERALD_NATS_CREDENTIALS (a file), "
          + "HERALD_NATS_NKEY with HERALD_NATS_SEED (a file); HERALD_NATS_CA, HERALD_NATS_CERT and "
          + "HERALD_NATS_KEY are files for TLS, and HERALD_NATS_REPLICAS is COUNT for addresses "
          + "without it.",
        "A warning on standard error says where the servers promise less than three replicas on disks "
          + "that are written at once, or where that cannot be seen. If the stream has lost commits that "
          + "PATH has, the store says so and refuses to write until 'herald replicate PATH to ADDRESS' has put "
          + "them back; see herald(1).",
      ],
      examples: ["open pets.hdb", "open", "open pets.hdb sync=normal"]),
    Command(
      "status", ["status"], "print the store's path, its version, and how it follows a stream",
      [
        "Of a store that many machines share also whether the servers can be reached, how many commits "
          + "the stream has that the store lacks, for how long it has lacked some, the last error, how "
          + "many commits the store has that the stream has lost, and what its servers promise less than "
          + "they should.",
        "In JSON: {\"result\":{\"store\":\"nats://host/pets\",\"version\":42,\"replicated\":true,"
          + "\"lag\":0,\"connected\":true,\"role\":\"replica\",\"stream\":\"pets\",\"cache\":\"...\","
          + "\"lagSeconds\":0,\"lastError\":null,\"ahead\":0,\"warnings\":[...]}}; of another store \"replicated\" and \"connected\" are "
          + "false, \"lag\" is 0, and the keys after them are missing.",
      ], examples: ["status"]),
    Command(
      "close", ["close"], "close the store; its observers end silently"),
    Command(
      "check", ["check [FILE]"], "check the store, or the one in FILE, for damage",
      [
        "Reads every record and compares it with all others that must agree with it. Prints ok, or "
          + "one problem a line; problems end a script with status 5. One is a query of define that "
          + "names an object which does not exist. FILE is only read, and "
          + "programs that have it open continue; damage that keeps FILE from being opened is "
          + "reported as its problem.",
        "herald check FILE does the same from the command line.",
      ], examples: ["check", "backup to pets.hdb", "check pets.hdb"]),
    Command(
      "backup", ["backup to PATH", "backup to PATH since VERSION"],
      "copy the store into a new file, or bring such a copy up to date",
      [
        "The copy is a store at the newest version, readable only by its owner, without the free "
          + "pages of the original. Others continue to write meanwhile; if the backup is "
          + "interrupted or the disk is full, no file is left. PATH must not exist. This also "
          + "saves a store in memory.",
        "With since, PATH is a backup of this store at VERSION: only the differences are written "
          + "to it, in one transaction. A backup that is at another version, belongs to another "
          + "store or was written to is refused.",
        "Copying a store with cp while another program writes to it makes a damaged file.",
      ], examples: ["backup to pets.hdb"]),
    Command(
      "readers", ["readers"],
      "list the readers of the store and the versions that they hold",
      [
        "A session that holds a version keeps the pages of that version, and of all later ones, "
          + "from being reused: the file grows with every commit. Each line names the process, the "
          + "session, the version, the time since which it is held, and the bytes that it keeps.",
        "Sessions that wait for input, for commits or, between events, for a slow reader of their "
          + "output hold no version; a statement keeps one while it prints. A session with autorefresh off keeps its version until refresh, and a frozen "
          + "object or collection keeps its own for as long as a variable holds it.",
      ], examples: ["readers"]),
    Command(
      "compact", ["compact"], "return the free pages of the store's file to the disk",
      [
        "Copies the store without the pages that no version needs, and replaces the file "
          + "atomically: after a power failure either the old file or the new one is there. Until "
          + "then the disk needs room for both. Writers wait meanwhile; readers do not.",
        "Other sessions and programs that have the store open switch to the new file by "
          + "themselves, and miss no change that they observe. A reader that holds a version "
          + "continues with the old file, whose space is freed when nobody reads it any more.",
      ], examples: ["backup to pets.hdb", "open pets.hdb; compact"]),
    Command(
      "class", ["class NAME { PROPERTY: TYPE; ... }"], "declare a class",
      [
        "Types are bool, int, float, double, decimal, string, data, date, uuid and objectid, each "
          + "followed by a question mark if it may be nil; any, which holds a value of any type, "
          + "including lists and maps, or nil; and the name of a class, which is a link and may "
          + "always be nil. Collections are list<T>, set<T>, map<T> with strings as keys, and "
          + "backlinks<CLASS.PROPERTY>, the objects whose property links to this one, maintained "
          + "by the store. A type may be followed by = DEFAULT, primary and indexed. Properties "
          + "are separated by semicolons or newlines.",
        "A class may name one that is declared later; adding its objects or observing them before "
          + "then is an error that names the missing class. The words store, none, any, all, true, "
          + "false, nil, group, value and now are no names of classes.",
        "Literals are 3, 2.5, inf, nan, \"text\", true, nil, 2026-11-21@10:30:00, "
          + "binary(\"BASE64\"), uuid(\"...\") and oid(\"...\"); uuid() and oid() generate new "
          + "ones; as defaults, one for each object. Lists and sets are written [A, B], maps {KEY: "
          + "VALUE, ...}.",
      ],
      examples: [
        "class Cat { id: int primary; name: string; age: int? = 0; home: House; tags: list<string> }",
        "class House { id: uuid primary; rooms: map<int>; cats: backlinks<Cat.home> }",
      ]),
    Command(
      "embedded", ["embedded class NAME { PROPERTY: TYPE; ... }"],
      "declare a class whose objects are embedded in one other object",
      [
        "An embedded object is created by a literal that is assigned to a property of its owner, "
          + "and is deleted with its owner or when it is replaced. Embedded objects may be nested "
          + "at most 100 deep."
      ],
      examples: [
        "embedded class Collar { colour: string; size: int? }",
        "set $ann.address = { city: \"Bree\" }",
      ]),
    Command(
      "projection", ["projection NAME of CLASS { NAME: PATH; ... }"],
      "give names to properties of a class and to paths from it",
      [
        "NAME of OBJECT is the object seen through the projection: it can be shown, named by let, "
          + "written through and observed.",
        "A projection also stands where a class does in a query, with its own names; its rows are "
          + "shown through it, and observers report a row as modified when one of its names changes.",
      ],
      examples: [
        "projection Sign of Dog { label: name; city: owner.address.city }", "let $s = Sign of $max",
        "set $s.label = \"Wolfie\"", "show Sign where label == \"Wolfie\" sort(city)",
      ]),
    Command(
      "define", ["define NAME as QUERY [{ EXPRESSION [as NAME], ... }]"],
      "keep a query under a name in the store",
      [
        "The name stands where a class does in a query; clauses after it apply to the rows of the "
          + "definition, predicates by AND and after its own limit. Variables keep the values that "
          + "they have now. Braces are the columns that show, watch and export have without their "
          + "own. drop removes it.",
        "An object that the query names by its key, as in owner == Person#3, need not exist: while "
          + "it does not, an error names it when the query is evaluated, and check reports it.",
      ],
      examples: ["define Old as Dog where age > 10", "count Old where name == \"Max\""]),
    Command(
      "alter",
      [
        "alter CLASS { CHANGE; ... }",
        "CHANGE: add PROPERTY: TYPE | drop PROPERTY | rename PROPERTY to NAME | PROPERTY: TYPE",
      ], "change a class and migrate its objects",
      [
        "Changes are add PROPERTY: TYPE, drop PROPERTY, rename PROPERTY to NAME, and PROPERTY: "
          + "TYPE, which redeclares a property with the type, default, primary and indexed given "
          + "there. All changes are made or none; an error names the first object that cannot be "
          + "converted. If there are objects, an added property needs a default, which they get, "
          + "or an optional type.",
        "When a type changes, every value is converted: numbers round to float, double and "
          + "decimal; an int accepts only whole numbers; bool and int convert as 0 and 1; a scalar "
          + "becomes the string that it prints as, and a string the value that it parses as. A "
          + "single value becomes a list or a set of one, nil an empty one, and back; a map "
          + "converts only to a map.",
        "Backlinks, projections, queries and observers follow a renamed property. A property that "
          + "a projection, a query or backlinks name cannot be dropped, nor get a type with which a "
          + "query would be an error. Behind a value of type any a query's name means the property "
          + "if only one class has one of that name; if several have, none of these can be renamed. "
          + "[\"key\"] is always the key of a map. An alter is not a change of an "
          + "object: only observers of the store are notified. An observer whose rows were "
          + "selected, sorted or held by a property that was dropped, or that has another type "
          + "now, is notified that all rows are deleted, and ends.",
      ],
      examples: [
        "alter Dog { add weight: double = 0; rename age to years }",
        "alter Dog { name: string?; years: int = 1 indexed }", "alter Person { drop tags }",
      ]),
    Command(
      "drop", ["drop CLASS", "drop PROJECTION", "drop QUERY"],
      "drop a class with its objects, a projection or a query",
      [
        "Observers are notified of the deletion of the objects. A class that is named by a "
          + "property of another class, a projection or a query cannot be dropped. A prompt asks "
          + "before more than 1,000 objects are dropped."
      ], examples: ["drop Card"]),
    Command(
      "schema", ["schema [NAME] [at VERSION]"],
      "show the classes, projections and queries as declared",
      ["The output can be entered again."]),
  ]
}
