/// The forms of predicates, the source of the section in the manual page of the language.
package enum PredicateReference {
  package struct Form: Sendable {
    /// A whole predicate about a Dog of `classes`.
    package let example: String
    /// What it tests, and which other forms there are.
    package let meaning: String
    /// Other words that lead to it.
    let words: [String]

    init(example: String, meaning: String, words: [String] = []) {
      self.example = example
      self.meaning = meaning
      self.words = words
    }
  }

  /// The classes that the examples are about.
  package static let classes = """
    class Person { name: string primary; age: int; dogs: backlinks<Dog.owner> }
    class Dog {
      id: int primary; name: string; age: int?; owner: Person; born: date?; weight: decimal?
      friends: list<Dog>; tags: set<string>; scores: map<int>; extra: any
    }
    """

  /// Objects and variables for which each of the examples finds a dog.
  package static let objects = """
    add Person { name: "Ann", age: 40 } as $ann
    add Dog { id: 1, name: "Max", age: 5, owner: $ann, born: 2020-05-01@00:00:00 } as $max
    add Dog { id: 2, name: "Rex", age: 4, owner: $ann, tags: ["quick", "old"], scores: { speed: 3 } } as $rex
    add Dog { id: 3, name: "Pip", age: 0, owner: $ann, extra: "small" } as $pip
    append $rex, $pip to $max.friends
    append $rex, $max to $pip.friends
    add Dog { id: 4, name: "Bo", scores: { agility: 9 }, extra: B64"AQI=" }
    let $skill = "agility"
    """

  package static let forms: [Form] = [
    Form(
      example: "age >= 3",
      meaning: "Comparisons are ==, =, !=, <>, <, <=, =<, >, >= and =>. Either side may be a path, "
        + "a literal, a variable or an expression. Words may be in either case.",
      words: ["comparisons", "comparison", "==", "!=", "<="]),
    Form(
      example: "age == nil",
      meaning: "nil, also written NULL, equals only itself; ordered comparisons with nil are "
        + "false. After CONTAINS, BEGINSWITH and ENDSWITH nil matches everything.",
      words: ["nil", "null"]),
    Form(
      example: "age BETWEEN {3, 5}",
      meaning: "From the first value to the second, both included."),
    Form(
      example: "name IN {\"Max\", \"Rex\"}",
      meaning: "One of the values in a list, in braces or in square brackets."),
    Form(
      example: "name BEGINSWITH[c] \"m\"",
      meaning: "Also ENDSWITH, CONTAINS and LIKE, whose pattern has ? for one character and * for "
        + "any number. [c] ignores the case of all Unicode letters without changing the number of "
        + "characters; it may follow the other comparisons and IN too.",
      words: ["wildcards", "case", "case insensitive"]),
    Form(
      example: "name MATCHES[c] \"m.*|rex\"",
      meaning: "The whole string matches a regular expression, by the rules of Swift's Regex.",
      words: ["regex", "regexp", "regular expressions", "regular expression"]),
    Form(
      example: "name.lower + owner.name == \"maxAnn\"",
      meaning:
        "+ joins strings. A string has .lower, .upper, .trim, .replace(\"a\", \"b\"), for each "
        + "occurrence, and .length, in code points; a date has .year, .month, .day, .hour, .minute, "
        + ".week, of ISO 8601, .weekday, 1 for Monday, and .date, its midnight, all in UTC. Of nil all "
        + "of them are nil.",
      words: [
        "lower", "upper", "length", "trim", "replace", "year", "month", "day", "hour", "minute",
        "week", "weekday", "concat", "concatenation",
      ]),
    Form(
      example: "round(age / 2.0) == 3",
      meaning:
        "Functions: round(x), half away from zero, round(x, 2), with two decimals, floor, ceil, "
        + "abs and sqrt; int(x), which drops decimals, double(x), decimal(x) and string(x) convert; "
        + "date(\"31.01.2020\", \"dd.MM.yyyy\") reads a date of a form, as import has them. "
        + "Of nil they are nil. A text that is no such value is nil in a condition, and an "
        + "error where a value is computed.",
      words: [
        "functions", "function", "round", "floor", "ceil", "abs", "sqrt", "int", "double",
        "decimal",
        "string", "date", "cast", "convert", "conversion",
      ]),
    Form(
      example: "(age ?? 0) == 0",
      meaning: "A ?? B is B where A is nil, or where A names an object that does not exist, as in "
        + "Person#\"Eve\".age ?? 0. It binds closer than a comparison and less than + and *.",
      words: ["??", "coalesce", "ifnull", "default value"]),
    Form(
      example: "born < now - 52w AND (now - born) / 86400 > 365",
      meaning:
        "now is the time of the statement, or of observe. A duration such as 3w, 7d, 12h, 30m, "
        + "15s or 1d12h may follow + or - of a date; a date minus a date is a number of seconds.",
      words: ["now", "duration", "durations", "today", "interval"]),
    Form(
      example: "age > (Dog where owner == nil).@count",
      meaning: "A query in parentheses stands for its rows, of which an operation makes a value: "
        + "@count, @avg.age and the like.",
      words: ["subqueries"]),
    Form(
      example: "age > 3 AND NOT (name == \"Max\" OR owner == nil)",
      meaning: "Also written && || and !. NOT binds closest, then AND, then OR. TRUEPREDICATE is "
        + "always true, FALSEPREDICATE never."),
    Form(
      example: "owner.age > age * 7",
      meaning: "A path follows links; beyond a link that is nil everything is nil. Arithmetic is + "
        + "- * / and %, whose result has the sign of the dividend, with an int result, truncated, "
        + "where both sides are ints; a positive number divided by zero is infinity. Integer overflow is an error, but nil in a condition.",
      words: ["arithmetic", "%", "+", "modulo", "division"]),
    Form(
      example: "ANY friends.age < 1",
      meaning: "A comparison through a collection is true if any element matches, with or without "
        + "ANY, also written SOME; ALL requires each to match, NONE none."),
    Form(
      example: "friends[FIRST].name == \"Rex\"",
      meaning: "An element of a list, by [0], [FIRST] or [LAST]; [*] is each element, [SIZE] their "
        + "number. An index beyond the end is nil.",
      words: ["lists"]),
    Form(
      example: "friends.@count == 2 AND friends.@avg.age > 3",
      meaning: "Aggregates are @count, also written @size, @min, @max, @sum, @avg, @median, "
        + "@percentile(0.9), @stddev and @distinct, of a collection's values or of a property of the "
        + "objects in it. @min and @max are of all that has an order, @distinct is the number of "
        + "different values, @stddev that of a sample; @percentile is a value or lies between two of "
        + "them. @sum and @avg of doubles are rounded once, whatever the order; if a value is NaN, so "
        + "are they.",
      words: [
        "aggregates", "aggregate", "sum", "avg", "average", "min", "max", "median", "percentile",
        "quantile", "stddev", "distinct values",
      ]),
    Form(
      example: "friends.friends.@count == 2",
      meaning: "@count of a collection behind a collection counts for each object on the path: "
        + "this tests whether one of the friends has two. ANY may precede it. Beyond a link that "
        + "is nil it is 0."),
    Form(
      example: "scores[\"agility\"] > 5 OR scores.@keys == \"speed\"",
      meaning: "A map by key; @keys and @values are all of its keys and values. A key may also "
        + "follow a dot: scores.agility. After a map of links a name is a property of the linked "
        + "class if it has one, and otherwise a key; in brackets it is always a key. A key that is "
        + "not there is nil.",
      words: ["maps"]),
    Form(
      example: "scores[$skill] > 5 AND friends.@count == 0",
      meaning: "A variable may hold a key or the index of a list. An observed predicate keeps the "
        + "value that it had at registration."),
    Form(
      example: "tags.length > 4",
      meaning: "The lengths of the strings, or of the data, in a list or a set."),
    Form(
      example: "owner == obj(\"Person\", \"Ann\")",
      meaning: "An object by its class and its primary key; Person#\"Ann\" is the same."),
    Form(
      example: "age < Person#\"Ann\".age AND age == (Dog).@max.age",
      meaning: "A property of an object by its key, and an aggregate of another query, are what "
        + "they are at the version that is read. Observers receive the rows that come and go "
        + "with them."),
    Form(example: "age == 0x05", meaning: "Whole numbers may be hexadecimal."),
    Form(
      example: "owner.dogs.@count > 1",
      meaning: "Backlinks are followed like any collection; @links.Dog.owner is the same without a "
        + "declared property."),
    Form(
      example: "SUBQUERY(friends, $d, $d.age > 3 AND $d.name != \"Max\").@count > 0",
      meaning: "The elements that match a predicate of their own."),
    Form(
      example: "extra.@type == \"string\"",
      meaning: "The type of the value in an any: bool, int, string, data, date, float, double, "
        + "decimal, objectid, uuid, objectlink, list, dictionary, also called object, and numeric."),
    Form(
      example: "extra == B64\"AQI=\"",
      meaning: "Data in base64; binary(\"AQI=\") and binary(B64\"AQI=\") are the same. uuid(...) "
        + "and oid(...) take a UUID and an object id with or without quotes."),
    Form(
      example: "age == 5.0",
      meaning: "Numbers of all types compare by value. A double is compared with a decimal by its "
        + "shortest decimal form: 0.1 equals the decimal 0.1. A literal is compared with a float at "
        + "the precision of a float. NaN equals nothing and has no order: only it differs from "
        + "itself, as in x != x."),
    Form(
      example: "born < 2026-11-21@10:30:00",
      meaning: "A date has a day and a time, in UTC, with up to nine decimals of a second; "
        + "2026-11-21 is midnight, and 2026-11-21 10:30 and 2026-11-21T10:30:00+02:00 are others; "
        + "T1763721000:0 is one by seconds and nanoseconds since 1970."),
  ]
}
