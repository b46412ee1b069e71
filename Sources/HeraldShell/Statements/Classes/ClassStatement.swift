import Herald

/// `class Dog { name: string; age: int? = 3 indexed; siblings: list<Dog> }`, `embedded class Address { city: string }`.
struct ClassStatement: StatementForm {
  static let command = Command(
    "class", ["class NAME { PROPERTY: TYPE; ... } [keep TIME | COUNT | TIME, COUNT]"],
    "declare a class",
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
      "keep 1h, keep 100000 or keep 1h, 100000 lets objects expire: of those that were added last the store keeps as many. "
        + "TIME is a number with w, d, h, m or s, and counts from the commit that added the object; the object may stay up "
        + "to a 64th of it longer. What is over a limit is deleted by the next commit of anything, in that commit, and by "
        + "an import that is live when the time has come; observers are notified as of any deletion. Undo of a commit "
        + "brings back what expired in it, and the limits hold after it, too. alter CLASS { keep 2h } and { keep all } "
        + "change it; for objects that are there the time begins then. Objects that are embedded cannot expire.",
      "Literals are 3, 2.5, inf, nan, \"text\", true, nil, 2026-11-21@10:30:00, "
        + "binary(\"BASE64\"), uuid(\"...\") and oid(\"...\"); uuid() and oid() generate new "
        + "ones; as defaults, one for each object. Lists and sets are written [A, B], maps {KEY: "
        + "VALUE, ...}.",
    ],
    examples: [
      "class Cat { id: int primary; name: string; age: int? = 0; home: House; tags: list<string> }",
      "class Request { path: string; ms: double } keep 1h, 100000",
      "class House { id: uuid primary; rooms: map<int>; cats: backlinks<Cat.home> }",
    ], inWrites: true, parse: Self.init)

  static let embedded = Command(
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
    ], inWrites: true,
    parse: { parser throws(ShellError) in
      try parser.take("class")
      var embedded = try ClassStatement(&parser)
      embedded.isEmbedded = true
      return embedded
    })

  let name: Name
  var isEmbedded = false
  let properties: [PropertySyntax]
  /// Which objects are kept; nil for all.
  let retention: ObjectRetention?

  init(_ parser: inout StatementParser) throws(ShellError) {
    name = try parser.name("a new class")
    properties = try parser.braced { parser throws(ShellError) in try PropertySyntax.parse(&parser)
    }
    retention = parser.takeIf("keep") ? try parser.objectRetention() : nil
  }

  var declaredName: String? { name.text }

  func run(in context: Context) throws {
    let definitions = try properties.map { try $0.definition(context) }
    try PropertySyntax.placingDefaults(of: properties, context) {
      try context.change { store in
        try store.declare(
          ClassDefinition(
            name: name.text, isEmbedded: isEmbedded, properties: definitions, retention: retention))
      }
    }
    context.confirm { "class \(name.text)" }
    try PropertySyntax.remarkOnLinks(of: properties, context)
  }
}
