import Herald
import TestSupport

/// Something that a closure reads, by numbers of objects and rows, so that it can be read again later.
enum TrackedReading: Hashable {
  enum Dogs: CaseIterable { case all, old, byAge, oldByAge, friends, oldFriends, likedBy }
  enum Part: CaseIterable { case count, isEmpty, first, last, row, ids, names, sum, max, ages }

  case property(dog: Int, String)
  case mother(dog: Int)
  case dogs(Dogs, Part, row: Int)
  case toys(Part, row: Int)
  case tags(Part, String)
  case score(String)
  case scores(Part)
  case sections

  /// Whether several commits that are delivered together are compared end to end.
  var isComparedEndToEnd: Bool {
    switch self {
    case .sections, .dogs(_, .ages, _), .toys(.ids, _), .tags(.ids, _), .tags(.first, _): false
    case .dogs(.friends, .ids, _), .dogs(.friends, .names, _): false
    case .dogs(.likedBy, .ids, _), .dogs(.likedBy, .names, _): false
    case .property, .mother, .dogs, .toys, .tags, .score, .scores: true
    }
  }

  static func random(_ random: inout SplitMix64, dogs: Int) -> TrackedReading {
    switch random.below(14) {
    case 0, 1: .property(dog: random.below(dogs), random.pick(["name", "age", "gone"]))
    case 2: .mother(dog: random.below(dogs))
    case 3: .toys(random.pick([.count, .isEmpty, .first, .last, .row, .ids]), row: random.below(4))
    case 4: .tags(random.pick([.count, .isEmpty, .first, .ids]), random.pick(["a", "b", "c"]))
    case 5: .score(random.pick(["a", "b", "c"]))
    case 6: .scores(random.pick([.count, .isEmpty, .ids]))
    case 7: .sections
    default:
      .dogs(
        random.pick(Array(Dogs.allCases)), random.pick(Array(Part.allCases)),
        row: random.below(6))
    }
  }
}

/// Objects and collections of one store, which readings are of.
struct TrackedKennel {
  let dogs: [TrackedDog]
  let owner: TrackedDog
  private let collections: [TrackedReading.Dogs: any StoredCollection<TrackedDog>]
  private let sections: SectionedResults<Int, TrackedDog>

  init(_ store: Store, owner: TrackedDog) {
    let all = store.objects(TrackedDog.self)
    dogs = Array(all)
    self.owner = owner
    collections = [
      .all: all, .old: all.where { $0.age > 5 }, .byAge: all.sorted(by: \.age),
      .oldByAge: all.where { $0.age > 3 }.sorted(by: \.age, ascending: false),
      .friends: owner.friends, .oldFriends: owner.friends.where { $0.age > 4 },
      .likedBy: owner.likedBy,
    ]
    sections = all.sectioned(by: \.age)
  }

  /// What a reading reads, as text. Rows that are no more, and deleted objects, are text as well: nil for a row that is not
  /// there. One that `isThere` is read without the number of rows.
  func text(_ reading: TrackedReading, isThere: Bool = false) -> String? {
    switch reading {
    case .property(let dog, let name):
      let dog = dogs[dog]
      if dog.isInvalidated { return "gone" }
      return name == "gone" ? "" : "\(dog[name] ?? "nil")"
    case .mother(let dog):
      let dog = dogs[dog]
      return dog.isInvalidated ? "gone" : dog.mother.map(text) ?? "nil"
    case .dogs(let dogs, let part, let row):
      guard let dogs = collections[dogs], part != .row || isThere || row < dogs.count else {
        return nil
      }
      return text(part, row, of: dogs)
    case .toys(let part, let row):
      if part == .row, !isThere, row >= owner.toys.count { return nil }
      return text(part, row, values: owner.toys)
    case .tags(.first, let tag): return "\(owner.tags.contains(tag)) \(Array(owner.tags))"
    case .tags(let part, _): return text(part, 0, values: owner.tags)
    case .score(let key): return "\(owner.scores[key] ?? -1)"
    case .scores(.count): return "\(owner.scores.count)"
    case .scores(.isEmpty): return "\(owner.scores.isEmpty)"
    case .scores: return "\(owner.scores.keys)"
    case .sections: return sections.map { "\($0.key): \($0.map(\.id))" }.joined(separator: ", ")
    }
  }

  private func text(_ dog: TrackedDog) -> String { "\(dog.id) \(dog.name)" }

  private func text<Dogs: StoredCollection<TrackedDog>>(
    _ part: TrackedReading.Part, _ row: Int, of dogs: Dogs
  ) -> String {
    switch part {
    case .count: "\(dogs.count as Int)"
    case .isEmpty: "\(dogs.isEmpty)"
    case .first: first(dogs).map(text) ?? "nil"
    case .last: last(dogs).map(text) ?? "nil"
    case .row: text(dogs[row])
    case .ids: "\(identifiers(of: dogs))"
    case .names: names(of: dogs).joined(separator: ", ")
    case .sum: "\(dogs.sum(\.age) as Int)"
    case .max: "\((dogs.max(\.age) as Int?) ?? -1)"
    case .ages: "\(identifiers(of: dogs)) \(dogs.values(\.age))"
    }
  }

  private func text<Values: StoredCollection<String>>(
    _ part: TrackedReading.Part, _ row: Int, values: Values
  ) -> String {
    switch part {
    case .count: "\(values.count)"
    case .isEmpty: "\(values.isEmpty)"
    case .first: (values as? List<String>)?.first ?? "nil"
    case .last: (values as? List<String>)?.last ?? "nil"
    case .row: values[row]
    case .ids, .names, .sum, .max, .ages: values.reduce("") { $0 + $1 + " " }
    }
  }
}

extension TrackedKennel {
  private func first(_ dogs: some StoredCollection<TrackedDog>) -> TrackedDog? {
    switch dogs {
    case let dogs as Results<TrackedDog>: dogs.first
    case let dogs as List<TrackedDog>: dogs.first
    case let dogs as LinkingObjects<TrackedDog>: dogs.first
    default: nil
    }
  }

  private func last(_ dogs: some StoredCollection<TrackedDog>) -> TrackedDog? {
    switch dogs {
    case let dogs as Results<TrackedDog>: dogs.last
    case let dogs as List<TrackedDog>: dogs.last
    case let dogs as LinkingObjects<TrackedDog>: dogs.last
    default: nil
    }
  }

  /// Of every element, by iterating.
  private func identifiers(of dogs: some StoredCollection<TrackedDog>) -> [Int] {
    var identifiers: [Int] = []
    for dog in dogs { identifiers.append(dog.id) }
    return identifiers
  }

  private func names(of dogs: some StoredCollection<TrackedDog>) -> [String] {
    var names: [String] = []
    for dog in dogs { names.append(text(dog)) }
    return names
  }
}
