/// The description of the language apart from its commands: the one source of the sections of
/// herald-language(7) and of `help` on a topic.
package enum LanguageReference {
  package struct Section: Sendable {
    /// The heading without its number; in lower case, the name of the topic that lists the others.
    package let title: String
    package let topics: [Topic]
  }

  /// All sections but that of the commands, in the order of the manual page.
  package static let sections: [Section] = [
    Section(title: "Text", topics: textTopics),
    Section(title: "Output", topics: outputTopics),
    Section(title: "Expectations", topics: [expectations]),
    Section(title: "Queries", topics: queryTopics),
  ]

  /// All topics; that of the prompt is in herald(1).
  package static var topics: [Topic] { sections.flatMap(\.topics) + [prompt] }

  static func section(_ title: String) -> String {
    let topics = sections.filter { $0.title == title }.flatMap(\.topics)
    return topics.map { $0.title == title ? $0.mdocText : $0.mdoc }.joined(separator: "\n")
  }

  private static let textTopics = [
    Topic(
      "Statements", words: ["statement", "comments", "comment", "turns", "blocks", "block"],
      [
        .text(
          "A statement ends at a newline or a semicolon; a newline inside brackets does not end it. "
            + "The statements in the braces of a block follow the same rule. A number sign at the "
            + "start of a line or after white space begins a comment, also in '#!'. Keywords are in "
            + "lower case; those of predicates may be in either case. A script is read and run "
            + "statement by statement."),
        .text(
          "After each top-level statement the turn of its session ends: pending notifications are "
            + "delivered to its observers, then to those of every other session, in order of "
            + "creation, until none is pending. The output of a script is therefore the same each "
            + "time. A statement that changes something outside of 'write' is a transaction of its "
            + "own."),
      ]),
    Topic(
      "Names and literals", words: ["names", "literals", "values"],
      [
        .item(
          "name",
          "A name of a class, a property, a token or a session: letters of any script, digits and "
            + "underscores, without a digit at the start.", words: ["name"]),
        .item(
          "$name",
          "A variable: an object, a live collection or a value. All sessions share it; an object is "
            + "resolved in the session that uses it, and it is an error if the object does not exist "
            + "there.", words: ["variables", "variable"]),
        .item(
          "Dog#3",
          "An object by its primary key, City#\"Rome\", Row#uuid(\"...\") or Row#oid(\"...\"), or by "
            + "its object number if its class has no primary key. It may be used wherever an object "
            + "may, and a path may follow: Dog#3.owner.name. Dog#$key and Dog#(id + 1) take the key from a "
            + "variable and an expression; a nil key is nil. An object that does not exist is an "
            + "error that names it.", words: ["objects", "object", "keys", "key"]),
        .item(
          "\"text\"", "A string, in double or single quotes, with the escapes of JSON.",
          words: ["strings", "quotes", "escapes"]),
        .item(
          "3  2.5  true  nil  inf  nan", "Numbers, Booleans and nil.",
          words: ["numbers", "true", "false", "nil", "null", "inf", "infinity", "nan"]),
        .item(
          "inTransaction", "A Boolean: whether the session is in a transaction.",
          words: ["intransaction"]),
        .item(
          "binary(\"AQI=\")  B64\"AQI=\"  uuid(\"...\")  oid(\"...\")",
          "Data in base64, a UUID, an object id; uuid() and oid() generate new ones.",
          words: ["binary", "uuid", "oid"]),
        .item(
          "[a, b]  {key: value}",
          "A list or a set, and an object or a map, with commas or newlines between entries. Keys may "
            + "be bare or in quotes.", words: ["lists", "sets", "maps"]),
      ]),
    Topic(
      "Dates", words: ["date", "times", "time", "datetime", "timestamp", "time zone", "timezone"],
      [
        .item(
          "2026-11-21  2026-11-21 10:30  2026-11-21T10:30:00.5Z",
          "A date, in UTC unless a zone such as +02:00 follows, at midnight without a time; also in "
            + "quotes where a date is expected. Month and day have two digits."),
        .item("2026-11-21@10:30:00", "The form in which dates are printed."),
        .item("T1763721000:0", "A date by seconds and nanoseconds since 1970, in predicates."),
        .text(
          "A predicate compares dates in order: born < 2026-11-21. A date has .year, .month, .day, "
            + ".hour and .minute, in UTC."),
      ]),
    Topic(
      "Types", words: ["type", "optional", "nullable", "?"],
      [
        .text(
          "The type of a property is one of these, followed by a question mark if it may be nil:"),
        .item("bool", "true or false.", words: ["bool", "boolean"]),
        .item("int", "An integer of 64 bits.", words: ["int", "integer"]),
        .item("double  float", "A binary number of 64 or 32 bits.", words: ["double", "float"]),
        .item("decimal", "A decimal number of 34 digits.", words: ["decimal", "decimals"]),
        .item("string", "Text in Unicode.", words: ["string"]),
        .item("date", "A time to the nanosecond."),
        .item("data", "Bytes.", words: ["data"]),
        .item("uuid  objectid", "An identifier of 16 or 12 bytes.", words: ["objectid"]),
        .item("any", "A value of any type, including lists and maps, or nil.", words: ["any"]),
        .item(
          "CLASS", "A link to an object, which may always be nil.",
          words: ["links", "link", "relations", "relationships", "foreign key", "join"]),
        .item(
          "list<T>  set<T>  map<T>",
          "A list, a set, or a map with strings as keys.",
          words: ["list", "map", "lists", "sets", "maps"]),
        .item(
          "backlinks<CLASS.PROPERTY>",
          "The objects whose property links to this one, maintained by the store.",
          words: ["backlinks"]),
        .text("After the type, in any order:"),
        .item(
          "= VALUE", "The default of objects that are added without a value.", words: ["default"]),
        .item(
          "primary",
          "The property is the primary key, by which objects are named, as Dog#3, and upsert finds them: no two "
            + "objects of the class have the same, and it never changes.",
          words: ["primary", "primary key", "unique", "keys", "key"]),
        .item(
          "indexed", "The property has an index, by which queries find its values.",
          words: ["indexed", "index", "indexes"]),
      ]),
  ]

  private static let expectations = Topic(
    "Expectations",
    [
      .text(
        "A script can check the events that it receives with expect, and so be a test. Each event of "
          + "an observer is pending until an expectation has accounted for it; 'expect nothing' fails "
          + "while one is pending, and names the first.")
    ])

  private static let queryTopics = [
    Topic(
      "Clauses", words: ["query", "clause", "self"],
      [
        .text("A query is a class, or a collection such as $p.dogs, followed by:"),
        .item(
          "where PREDICATE",
          "The rows that match; 'help predicates' lists the forms of predicates.",
          words: ["where"]),
        .item(
          "sort(path asc | desc, ...)",
          "The rows ordered by these values, or by what is computed: name.lower, born.year, price * count, mates.@count; the "
            + "sort is stable. nil comes first ascending and last "
            + "descending; beyond a link that is nil every value is nil.",
          words: [
            "sort", "order", "order by", "sorting", "asc", "ascending", "desc", "descending",
          ]),
        .item(
          "distinct(path, ...)",
          "The first of each group of rows that are equal in these values, nil being a value like "
            + "others.", words: ["distinct"]),
        .item("limit(n)", "The first n rows.", words: ["limit"]),
        .item("offset(n)", "All rows but the first n.", words: ["offset"]),
        .item(
          "sample(n)",
          "n of the rows at random, in the order that they have; all of them where there are no more. Each statement that asks "
            + "draws others, and so does each use of a variable; let $some = freeze Dog sample(3) keeps some. What is observed "
            + "keeps its sample: another row takes the place of one that goes.",
          words: ["sample", "random", "tablesample"]),
        .item(
          "at VERSION",
          "The query as it was answered at an earlier version, which the log keeps: at 41, at -1 (one "
            + "commit back), at \"2026-11-22T10:00:00Z\" (after the last commit not later). What variables "
            + "lead to is of that version, too. Paths have versions: $max.age at 41.",
          words: ["at", "time travel"]),
        .item(
          "in $f", "The query at the version that 'let $f = freeze at 41' has named.", words: ["in"]
        ),
        .text(
          "Sorts, distinct, limit, offset and sample may repeat, and each is applied to the result of those before it. Without a "
            + "sort, objects are in order of creation, and the rows of a list in the order of the "
            + "list. The elements of a collection of values are named self: $p.tags where self "
            + "BEGINSWITH \"x\" sort(self desc)."),
      ]),
    Topic(
      "Key paths", words: ["keypaths", "key path", "paths"],
      [
        .text(
          "A path is the names of properties with dots between them, from an object through its "
            + "links: owner.address.city. A key path says which changes concern an observer: "
            + "'observe Dog keypaths name, owner.name' is notified of a modification only if the name "
            + "of a row or of its owner has changed, and with 'keypaths none' of none. Insertions and "
            + "deletions are always reported."),
        .text(
          "In a key path * stands for every property but backlinks; before another name, for the "
            + "links and collections of links to a class that has a property of that name. Without "
            + "key paths, changes of what is up to four links away count; 'depth N' sets another "
            + "number of links."),
      ]),
    Topic(
      "Predicates", words: ["predicate", "conditions", "operators", "expressions"],
      [
        .text("The examples are about the dogs of these classes:"),
        .lines(PredicateReference.classes.split(separator: "\n").map(String.init)),
      ]
        + PredicateReference.forms.map { .item($0.example, $0.meaning, words: $0.words) } + [
          .text(
            "Strings have the escapes of JSON and compare by code point. Two lists compare in order, "
              + "element by element, without ANY, ALL or NONE. Values of different types in a property "
              + "of type any sort in the order nil, bool, number, string, data, date, object id, uuid, "
              + "link. An unknown property, types that cannot be compared and a misplaced word are "
              + "errors at the position of the word.")
        ]),
  ]
}
