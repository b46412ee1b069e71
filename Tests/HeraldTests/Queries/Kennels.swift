import Foundation
import Herald
import Testing

enum Coat: String, PersistableEnum { case short, long, curly }

final class Keeper: Object {
  @Persisted var name = ""
  @Persisted var hounds: List<Hound>
}

final class Collar: EmbeddedObject {
  @Persisted var color = ""
}

final class Hound: Object {
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted var weight = 0.0
  @Persisted var small: Int16 = 0
  @Persisted var nick: String?
  @Persisted var years: Int?
  @Persisted var isGood = false
  @Persisted var coat = Coat.short
  @Persisted var second: Coat?
  @Persisted var born: Date
  @Persisted var price: Decimal128
  @Persisted var extra: AnyValue
  @Persisted var best: Hound?
  @Persisted var keeper: Keeper?
  @Persisted var collar: Collar?
  @Persisted var siblings: List<Hound>
  @Persisted var marks: List<Int>
  @Persisted var tags: MutableSet<String>
  @Persisted var scores: Map<String, Int>
  @Persisted(originProperty: "hounds") var keepers: LinkingObjects<Keeper>
  var doubled: Int { 2 * age }
}

/// A store of random hounds.
struct Kennels {
  let store: Store
  let hounds: [Hound]
  let keepers: [Keeper]
  var all: Results<Hound> { store.objects(Hound.self) }

  init(count: Int = 300, seed: UInt64 = 7) throws {
    let store = try Store()
    var random = TestRandom(state: seed)
    let words = ["Max", "mAx", "Maxine", "Bo", "", "Zoë", "ann"]
    let keepers = (0..<5).map { index in
      let keeper = Keeper()
      keeper.name = words[index]
      return keeper
    }
    let hounds = (0..<count).map { _ in
      let hound = Hound()
      hound.name = words.randomElement(using: &random)!
      hound.age = .random(in: 0...9, using: &random)
      hound.weight = Double(Int.random(in: 0...20, using: &random)) / 2
      hound.small = .random(in: -3...3, using: &random)
      hound.nick = Bool.random(using: &random) ? nil : words.randomElement(using: &random)!
      hound.years = Bool.random(using: &random) ? nil : .random(in: 0...5, using: &random)
      hound.isGood = .random(using: &random)
      hound.coat = Coat.allCases.randomElement(using: &random)!
      hound.second = Bool.random(using: &random) ? nil : .curly
      hound.born = Date(timeIntervalSince1970: Double(Int.random(in: 0...5, using: &random)))
      hound.price = Decimal128(Int.random(in: 0...5, using: &random))
      hound.extra =
        Bool.random(using: &random) ? .int(Int.random(in: 0...3, using: &random)) : .string("x")
      hound.marks.append(contentsOf: (0..<Int.random(in: 0...3, using: &random)).map { $0 * 2 })
      if Bool.random(using: &random) { hound.tags.insert("good") }
      if Bool.random(using: &random) { hound.scores["go"] = .random(in: 0...5, using: &random) }
      if Bool.random(using: &random) {
        let collar = Collar()
        collar.color = words.randomElement(using: &random)!
        hound.collar = collar
      }
      return hound
    }
    try store.write {
      for keeper in keepers { store.add(keeper) }
      for hound in hounds { store.add(hound) }
      for hound in hounds {
        if Bool.random(using: &random) { hound.best = hounds.randomElement(using: &random)! }
        if Bool.random(using: &random) { hound.keeper = keepers.randomElement(using: &random)! }
        for _ in 0..<Int.random(in: 0...3, using: &random) {
          hound.siblings.append(hounds.randomElement(using: &random)!)
        }
        keepers.randomElement(using: &random)!.hounds.append(hound)
      }
    }
    self.store = store
    self.hounds = hounds
    self.keepers = keepers
  }

  /// Compares a query with a filter.
  func check(
    _ name: String, _ query: (Query<Hound>) -> Query<Bool>, _ filter: (Hound) -> Bool
  ) {
    let found = all.where(query)
    let expected = hounds.filter(filter)
    #expect(Array(found) == expected, "\(name)")
    #expect(found.count == expected.count && found.first == expected.first, "\(name)")
    let none = expected.isEmpty || expected.count == hounds.count
    #expect(!none, "\(name) selects \(expected.count) of \(hounds.count)")
  }
}

struct TestRandom: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ state >> 29
  }
}
