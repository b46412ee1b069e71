import TestSupport

/// Makes random statements about a small kennel that never fail: it knows which objects there are,
/// and what their lists hold.
struct KennelScript {
  static let schema = """
    class Person { id: int primary; n: int; name: string; dogs: list<Dog>; pets: set<Dog>; \
    homes: map<Dog>; tags: list<string>; marks: set<int>; owned: backlinks<Dog.owner>; x: any }
    class Dog { id: int primary; age: int; name: string; owner: Person; mate: Dog; nums: list<int>; x: any }
    projection Card of Dog { title: name; host: owner.name; years: age }

    """

  /// What can be observed, as it is typed.
  static let targets = [
    "Dog", "Dog where age > 3", "Dog where age > 2 sort(age)", "Dog sort(name, age desc) limit(3)",
    "Dog sort(age) limit(2) keypaths none", "Dog distinct(age)", "Dog sort(name) distinct(age)",
    "Dog where owner.n > 2", "Dog where mate.owner.name == \"a\"", "Dog where nums.@count > 1",
    "Dog where age > 1 depth 0", "Dog where age > 1 keypaths name, owner.name", "Dog depth 1",
    "Dog sort(age) keypaths name", "Person where dogs.@count > 1", "Person where owned.@count > 1",
    "Person where ANY dogs.age > 4", "Person where pets.@count > 1", "Person#1.dogs where age > 3",
    "Person#1.dogs sort(age) limit(2)", "Person#1.dogs where age > 2 keypaths none",
    "Person#1.pets where age < 4", "Person#1.homes where age < 4", "Person#1.owned where age > 2",
    "Person#1.owned sort(name) depth 0", "Person#1.dogs distinct(name) keypaths none",
    "Person#1.dogs", "Person#1.dogs keypaths name", "Person#1.dogs depth 0", "Person#1.pets",
    "Person#1.pets keypaths none", "Person#1.homes", "Person#1.owned", "Person#1.tags",
    "Person#1.marks", "Person#1", "Person#1 keypaths name, dogs.age",
    "Person#1 keypaths owned exclusive", "Dog#1", "Dog#1 keypaths owner.name",
    "Dog#1 keypaths none",
    "Card of Dog#1", "Card of Dog#1 keypaths host", "property Dog#1.age", "property Person#1.dogs",
    "property Person#1.pets", "Person#1.x", "Person#1.x[1]",
  ]

  /// Those, by their index, whose observers live as long as the store and can be silenced.
  static let lasting = targets.indices.filter { place in
    !["Dog#1", "property", "x[1]"].contains { targets[place].contains($0) }
  }

  /// What is observed, and how.
  static func parts(of target: String) -> (query: String, options: String) {
    let words = target.split(separator: " ")
    let cut = words.firstIndex { ["keypaths", "depth", "exclusive"].contains($0) } ?? words.count
    return (words[..<cut].joined(separator: " "), words[cut...].joined(separator: " "))
  }

  private var random: SplitMix64
  private var dogs: [Int] = []
  private var nextDog = 1
  private var rows: [Int: [Int]] = [1: [], 2: [], 3: []]
  /// How many there are of each dog, where that is not one.
  private var numbers: [Int: Int] = [:]
  private var tags = 0
  private var hasBegun = false
  /// Whether dogs have one property more.
  private var hasExtra = false

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  /// What every run begins with: the whole kennel.
  mutating func beginning() -> String {
    var text = Self.schema
    for id in 1...3 {
      text += "add Person { id: \(id), n: \(random.below(5)), name: \"\(word)\", x: [1, [2, 3]] }\n"
    }
    for _ in 0..<8 { text += addition() + "\n" }
    for _ in 0..<12 { text += change() + "\n" }
    hasBegun = true
    return text
  }

  /// One to three commits.
  mutating func commits() -> [String] { (0...random.below(3)).map { _ in block() } }

  /// The same, as statements; some change the schema and nothing else.
  mutating func statements() -> [String] {
    (0...random.below(3)).map { _ in
      guard random.chance(8) else { return "write \(block())" }
      hasExtra.toggle()
      return hasExtra ? "alter Dog { add extra: int = 3 }" : "alter Dog { drop extra }"
    }
  }

  /// The changes of one commit, as a block.
  private mutating func block() -> String {
    var statements: [String] = []
    for _ in 0...random.below(3) { statements.append(change()) }
    return "{ \(statements.joined(separator: "; ")) }"
  }

  private var word: String { mutating get { random.pick(["a", "b", "c"]) } }

  private mutating func addition() -> String {
    dogs.append(nextDog)
    nextDog += 1
    return
      "add Dog { id: \(nextDog - 1), age: \(random.below(6)), name: \"\(word)\", nums: [\(random.below(6))] }"
  }

  private mutating func change() -> String {
    guard let dog = dogs.randomElement(using: &random) else { return addition() }
    let (person, other) = (1 + random.below(2), random.pick(dogs))
    switch random.below(22) {
    case 0: return addition()
    case 1 where dogs.count > 4 && hasBegun: return deletion(of: dog)
    case 2, 3, 4: return "set Dog#\(dog).age = \(random.below(6))"
    case 5: return "set Dog#\(dog).name = \"\(word)\""
    case 6: return "set Dog#\(dog).owner = \(random.chance(30) ? "nil" : "Person#\(person)")"
    case 7: return "set Dog#\(dog).mate = \(random.chance(30) ? "nil" : "Dog#\(other)")"
    case 8: return numberChange(dog)
    case 9: return "set Person#\(person).name = \"\(word)\""
    case 10: return "set Person#\(person).n = \(random.below(5))"
    case 11: return "insert Dog#\(dog) into Person#\(person).pets"
    case 12: return "remove Dog#\(dog) from Person#\(person).pets"
    case 13: return "set Person#\(person).homes[\"\(word)\"] = Dog#\(dog)"
    case 14: return "remove Person#\(person).homes[\"\(word)\"]"
    case 15: return random.chance(70) ? taggings() : "insert \(random.below(4)) into Person#1.marks"
    case 16: return "remove \(random.below(4)) from Person#1.marks"
    case 17: return anyChange(dog)
    case _: return rowChange(person, dog)
    }
  }

  private mutating func deletion(of dog: Int) -> String {
    dogs.removeAll { $0 == dog }
    for person in rows.keys { rows[person]?.removeAll { $0 == dog } }
    return "delete Dog#\(dog)"
  }

  private mutating func numberChange(_ dog: Int) -> String {
    let (list, count) = ("Dog#\(dog).nums", numbers[dog] ?? 1)
    switch random.below(6) {
    case 0 where count > 0:
      numbers[dog] = count - 1
      return "remove \(list)[\(random.below(count))]"
    case 1 where count > 0: return "set \(list)[\(random.below(count))] = \(random.below(6))"
    case 2:
      numbers[dog] = 0
      return "clear \(list)"
    case 3:
      numbers[dog] = 2
      return "set \(list) = [\(random.below(6)), \(random.below(6))]"
    case _:
      numbers[dog] = count + 1
      return "append \(random.below(6)) to \(list)"
    }
  }

  private mutating func taggings() -> String {
    if tags > 0, random.chance(40) {
      tags -= 1
      return "remove Person#1.tags[\(random.below(tags + 1))]"
    }
    tags += 1
    return "append \"\(word)\" to Person#1.tags"
  }

  private mutating func anyChange(_ dog: Int) -> String {
    switch random.below(4) {
    case 0: "set Person#1.x = [\(random.below(3)), [2, Dog#\(dog)]]"
    case 1: "set Person#1.x[0] = \(random.below(3))"
    case 2: "append \(random.below(3)) to Person#1.x"
    case _: "set Person#1.x[1] = [\(random.below(3)), Dog#\(dog)]"
    }
  }

  private mutating func rowChange(_ person: Int, _ dog: Int) -> String {
    let list = "Person#\(person).dogs"
    let count = rows[person]?.count ?? 0
    guard count > 0, random.chance(65) else {
      let row = random.below(count + 1)
      rows[person]?.insert(dog, at: row)
      return "insert Dog#\(dog) into \(list) at \(row)"
    }
    let (row, to) = (random.below(count), random.below(count))
    switch random.below(4) {
    case 0:
      if let moved = rows[person]?.remove(at: row) { rows[person]?.insert(moved, at: to) }
      return "move \(list)[\(row)] to \(to)"
    case 1:
      rows[person]?[row] = dog
      return "set \(list)[\(row)] = Dog#\(dog)"
    case _:
      rows[person]?.remove(at: row)
      return "remove \(list)[\(row)]"
    }
  }
}
