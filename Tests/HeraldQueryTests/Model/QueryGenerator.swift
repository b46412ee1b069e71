import HeraldModel
import HeraldQuery
import TestSupport

@testable import TestModel

/// Makes random stores of the kennel's classes, and random queries over them.
struct QueryGenerator {
  var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  // MARK: Stores

  static let words = [
    "", "a", "A", "ab", "Ab", "ba", "abc", "é", "É", "e\u{301}", "İ", "b*", "longer than eight",
  ]

  mutating func store() -> ModelReader {
    let store = ModelReader(KennelStore.schema)
    let toys = (0..<random.below(6)).map { _ in
      store.add("Toy", ["name": [word()], "price": [.double(number())]])
    }
    let people = (0..<random.below(6)).map { index in
      store.add("Person", ["name": [.string("p\(index)")], "age": [.int(random.below(6) - 1)]])
    }
    let dogs = (0..<random.below(12)).map { _ in
      store.add(
        "Dog",
        [
          "name": [word()], "age": [maybe(.int(random.below(6) - 1))],
          "weight": [.float(Float(number()))], "height": [maybe(.double(number()))],
          "isGood": [.bool(random.chance(50))], "born": [maybe(date())],
          "chip": [maybe(.data([UInt8(random.below(3))]))],
          "nick": [maybe(word())], "breed": [word()],
          "owner": [people.isEmpty ? .null : maybe(.link(random.pick(people)))],
          "toys": toys.isEmpty ? [] : (0..<random.below(4)).map { _ in .link(random.pick(toys)) },
          "tags": (0..<random.below(4)).map { _ in word() },
          "scores": (0..<random.below(4)).map { _ in maybe(.int(random.below(5))) },
          "cost": [maybe(.decimal(Decimal128(random.pick([-1, 0, 0.1, 0.5, 1, 2.5]))))],
          "mixed": [maybe(anything(people))],
          "labels": QueryGenerator.labels.filter { _ in random.chance(40) }.map(Value.string),
        ])
    }
    for dog in dogs {
      var marks: MapEntries = [:]
      for key in ["a", "b", "name"] where random.chance(50) {
        marks[key] = maybe(.int(random.below(4)))
      }
      store.setMap(dog, "marks", marks)
      // Two of the keys are names of properties too.
      var sitters: MapEntries = [:]
      for key in ["a", "age", "name"] where !people.isEmpty && random.chance(40) {
        sitters[key] = maybe(.link(random.pick(people)))
      }
      store.setMap(dog, "sitters", sitters)
    }
    for person in people {
      if !dogs.isEmpty {
        store.set(person, "dogs", (0..<random.below(4)).map { _ in .link(random.pick(dogs)) })
      }
      store.set(person, "friend", [maybe(.link(random.pick(people)))])
    }
    return store
  }

  private mutating func maybe(_ value: Value) -> Value { random.chance(25) ? .null : value }

  /// In order, as a set holds them.
  static let labels = ["a", "ab", "b"]

  private mutating func anything(_ people: [ObjectID]) -> Value {
    switch random.below(5) {
    case 0: .int(random.below(4))
    case 1: .double(random.pick([0.1, 0.5, 1, 2.5]))
    case 2: .decimal(Decimal128(random.pick([0.1, 0.5, 1, 3])))
    case 3: .bool(random.chance(50))
    default: people.isEmpty || random.chance(70) ? word() : .link(random.pick(people))
    }
  }

  private mutating func word() -> Value { .string(random.pick(QueryGenerator.words)) }

  private mutating func number() -> Double { random.pick([-1, 0, 0.1, 0.5, 1, 2, 2.5, 4]) }

  private mutating func date() -> Value {
    .date(Timestamp(seconds: random.below(4), nanoseconds: random.chance(30) ? 5 : 0))
  }

  // MARK: Questions

  enum Kind: CaseIterable {
    case number, text, flag, date, link, type

    var isOrdered: Bool { self != .link && self != .type }
  }

  mutating func predicate(depth: Int = 3, of className: String = "Dog", as prefix: String = "")
    -> String
  {
    guard depth > 0, random.chance(55) else { return comparison(depth, className, prefix) }
    switch random.below(8) {
    case 0: return "NOT (\(predicate(depth: depth - 1, of: className, as: prefix)))"
    case 1...3:
      let parts = (0..<(2 + random.below(2))).map { _ in
        predicate(depth: depth - 1, of: className, as: prefix)
      }
      return parts.map { "(\($0))" }.joined(separator: random.pick([" AND ", " && "]))
    case 4...5:
      let parts = (0..<(2 + random.below(2))).map { _ in
        predicate(depth: depth - 1, of: className, as: prefix)
      }
      return parts.map { "(\($0))" }.joined(separator: random.pick([" OR ", " || "]))
    case 6:
      let (a, b) = (comparison(0, className, prefix), comparison(0, className, prefix))
      return "\(a) or \(b) and ! \(a)"
    default: return random.pick(["TRUEPREDICATE", "FALSEPREDICATE"])
    }
  }

  private mutating func comparison(_ depth: Int, _ className: String, _ prefix: String) -> String {
    let kind = random.pick(className == "Dog" ? Kind.allCases : [.number, .text])
    let operand = path(kind, className, prefix, depth)
    let isMany = isMany(operand)
    let quantifier = isMany ? random.pick(["", "", "ANY ", "ALL ", "NONE "]) : ""
    let left = quantifier + operand
    let order = random.pick(["==", "!=", "<", "<=", ">", ">="])
    let fold = kind == .text && random.chance(30) ? "[c]" : ""
    switch random.below(10) {
    case 0 where kind != .flag && kind.isOrdered:
      let ofValues = ["tags", "scores", "labels", "marks"].contains { operand.contains($0) }
      let words = isMany && ofValues ? "ALL " + operand : left
      return "\(words) BETWEEN {\(literal(kind)), \(literal(kind))}"
    case 1, 2:
      let list = (0..<random.below(4)).map { _ in literal(kind) }.joined(separator: ", ")
      return "\(left) IN\(fold) {\(list)}"
    case 3 where kind == .text, 4 where kind == .text, 5 where kind == .text:
      let word = random.pick(Relation.allCases.filter { $0.family == .text }).rawValue
      let pattern =
        word == "LIKE"
        ? "\"" + random.pick(["a*", "?", "*b", "?b*", "", "*"]) + "\"" : literal(kind)
      return "\(left) \(word)\(fold) \(pattern)"
    case 6:
      let list = (0..<random.below(3)).map { _ in literal(kind) }.joined(separator: ", ")
      let relation = !kind.isOrdered ? random.pick(["==", "!="]) : order
      return "\(left) \(relation) \(random.pick(["ANY", "ALL", "NONE"])) {\(list)}"
    case 7:
      let right = path(kind, className, prefix, depth)
      let relation = !kind.isOrdered ? random.pick(["==", "!="]) : order
      return "\(left) \(relation)\(fold) \(right)"
    case 8 where kind == .number && !isMany:
      return
        "\(left) \(random.pick(["+", "-", "*", "/"])) \(1 + random.below(3)) \(order) \(literal(kind))"
    default:
      let relation = !kind.isOrdered ? random.pick(["==", "!="]) : order
      let constant = kind == .link && isMany && operand.hasSuffix("s") ? "$p" : literal(kind)
      return random.chance(15) && !isMany
        ? "\(constant) \(relation) \(left)" : "\(left) \(relation)\(fold) \(constant)"
    }
  }

  /// Counts of collections behind collections: one for each object on the way.
  private static let manyCounts: Set<String> = [
    "owner.dogs.toys.@count", "owner.owned.toys.@count", "owner.dogs.owner.@count",
    "owner.dogs.scores.@count", "sitters.owned.@count", "owner.dogs.sitters.@count",
  ]

  private func isMany(_ path: String) -> Bool {
    if path.contains("@count") || path.contains("SUBQUERY") {
      return QueryGenerator.manyCounts.contains(path)
    }
    if path.hasPrefix("sitters") { return path == "sitters.age" || path == "sitters.name" }
    if path.hasSuffix(".@keys") || path.hasSuffix("marks.@values") { return true }
    if path.hasSuffix("@type") { return path.contains("owned") }
    if path.contains(".@") && !path.contains("@links.Dog.owner.n")
      && !path.contains("@links.Dog.owner.a")
    {
      return false
    }
    if path.hasSuffix("marks[\"a\"]") || path.hasSuffix("marks.b") || path.hasSuffix("marks.a") {
      return path.contains("dogs")
    }
    return ["toys", "tags", "scores", "dogs", "@links", "labels", "marks", "owned"].contains {
      path.contains($0)
    }
      && !path.contains("[")
      || path.hasPrefix("owner.dogs") && !path.contains("@")
  }

  private mutating func path(
    _ kind: Kind, _ className: String, _ prefix: String, _ depth: Int
  ) -> String {
    if className == "Toy" { return prefix + (kind == .number ? "price" : "name") }
    switch kind {
    case .number:
      if depth > 0, random.chance(10) {
        return "SUBQUERY(\(prefix)toys, $t, \(predicate(depth: 1, of: "Toy", as: "$t."))).@count"
      }
      return prefix
        + random.pick(
          [
            "age", "age", "weight", "height", "owner.age", "owner.friend.age", "toys.price",
            "toys.@count", "toys.@sum.price", "toys.@min.price", "toys.@avg.price", "scores",
            "scores.@count", "scores.@max", "scores.@sum", "toys[0].price", "scores[LAST]",
            "owner.dogs.age", "owner.dogs.@count", "owner.dogs.weight", "tags[SIZE]",
            "@links.Person.dogs.age", "@links.Person.dogs.@count", "owner.@links.Dog.owner.age",
            "cost", "mixed", "marks", "marks.@values", "marks[\"a\"]", "marks.b", "marks.@sum",
            "marks.@count", "labels.@count", "owner.owned.age", "owner.owned.cost",
            "owner.dogs.marks.a", "owner.owned.mixed", "sitters.age", "sitters.a.age",
            "sitters[\"age\"].age", "sitters.@count", "sitters.@max.age",
          ] + QueryGenerator.manyCounts.sorted())
    case .text:
      return prefix
        + random.pick([
          "name", "nick", "breed", "owner.name", "tags", "toys.name", "owner.dogs.tags",
          "toys[FIRST].name", "tags[1]", "owner.friend.name", "@links.Person.dogs.name",
          "labels", "marks.@keys", "owner.owned.labels", "mixed", "owner.dogs.marks.@keys",
          "sitters.name", "sitters.a.name", "sitters[\"name\"].name",
        ])
    case .flag: return prefix + random.pick(["isGood", "owner.dogs.isGood"])
    case .date: return prefix + random.pick(["born", "owner.dogs.born"])
    case .link: return prefix + random.pick(["owner", "owner.friend", "@links.Person.dogs"])
    case .type: return prefix + random.pick(["mixed.@type", "owner.owned.mixed.@type"])
    }
  }

  private mutating func literal(_ kind: Kind) -> String {
    switch kind {
    case .number: random.pick(["-1", "0", "1", "2", "3", "0.1", "0.5", "2.5", "4.0", "nil", "$n"])
    case .text: random.chance(8) ? "nil" : random.pick(QueryGenerator.words).quoted
    case .flag: random.pick(["true", "false"])
    case .date: random.pick(["T0:0", "T2:0", "T1:5", "1970-01-01@00:00:03", "nil"])
    case .link: random.pick(["$p", "$p"])
    case .type: "'" + random.pick(["int", "double", "decimal", "string", "null"]) + "'"
    }
  }

  mutating func stages() -> String {
    (0..<random.below(4)).map { _ in
      let keys = (0..<(1 + random.below(3))).map { _ in
        random.pick([
          "name", "age", "weight", "height", "isGood", "born", "nick", "owner.name", "owner.age",
          "chip", "cost", "mixed", "marks.a", "marks[\"b\"]",
        ])
      }
      switch random.below(4) {
      case 0: return " limit(\(random.below(8)))"
      case 1: return " distinct(\(keys.joined(separator: ", ")))"
      default:
        return " sort("
          + keys.map { $0 + random.pick(["", " asc", " desc"]) }.joined(separator: ", ") + ")"
      }
    }.joined()
  }
}
