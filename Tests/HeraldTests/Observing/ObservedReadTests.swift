import Herald
import TestSupport
import Testing

private final class Swimmer: Object {
  @Persisted var n = 0
  @Persisted var name = ""
  @Persisted var coach: Swimmer?
  @Persisted var mates: List<Swimmer>
}

/// Results that are observed, beside the same query of no observer: what is read of the rows that the observer keeps, in
/// its block, between deliveries, in writes, after their rollback, and while something is pending.
@Suite struct ObservedReadTests {
  private static let queries: [@Sendable (Store) -> Results<Swimmer>] = [
    { $0.objects(Swimmer.self) }, { $0.objects(Swimmer.self).filter("n > 2") },
    { $0.objects(Swimmer.self).sorted(byKeyPath: "n") },
    { $0.objects(Swimmer.self).filter("coach.n > 2").sorted(byKeyPath: "name", ascending: false) },
    { $0.objects(Swimmer.self).sorted(byKeyPath: "coach.n").distinct(by: ["name"]) },
    { $0.objects(Swimmer.self)[0].mates.filter("n < 4") },
    { $0.objects(Swimmer.self)[0].mates.sorted(byKeyPath: "n", ascending: false) },
  ]

  private final class Pool {
    let store: Store
    let other: DynamicStore
    var random: SplitMix64
    var comment: Comment = ""
    var observed: [(results: Results<Swimmer>, token: NotificationToken)] = []
    /// The tokens that were invalidated.
    var ended: Set<ObjectIdentifier> = []
    /// The number of reads in blocks of observers.
    var readsInBlocks = 0

    init(_ store: Store, _ seed: UInt64) throws {
      self.store = store
      other = try store.untyped.newSession(named: "other")
      random = SplitMix64(seed: seed)
      try store.write {
        for _ in 0..<30 { add() }
      }
      for (index, query) in queries.enumerated() {
        let results = query(store)
        let keyPaths = random.chance(30) ? ["name"] : nil
        let token = results.observe(keyPaths: keyPaths) { [unowned self] change in
          switch change {
          case .initial(let rows), .update(let rows, deletions: _, insertions: _, modifications: _):
            readsInBlocks += 1
            check(rows, index)
            check(observed[index].results, index)
          case .error(let error): Issue.record("\(error)")
          }
        }
        observed.append((results, token))
      }
    }

    func add() {
      let swimmer = Swimmer()
      swimmer.n = random.below(6)
      swimmer.name = random.pick(["a", "b", "c", "d"])
      store.add(swimmer)
      change(swimmer)
    }

    /// Changes a swimmer's links.
    func change(_ swimmer: Swimmer) {
      let all = store.objects(Swimmer.self)
      swimmer.coach = random.chance(30) ? nil : all[random.below(all.count)]
      if random.chance(40) { all[0].mates.append(swimmer) }
    }

    func changeOne() {
      let all = store.objects(Swimmer.self)
      let swimmer = all[random.below(all.count)]
      switch random.below(6) {
      case 0, 1: swimmer.n = random.below(6)
      case 2: swimmer.name = random.pick(["a", "b", "c", "d"])
      case 3: change(swimmer)
      case 4: add()
      case _:
        if let mates = all.first?.mates, mates.count > 0 {
          mates.remove(at: random.below(mates.count))
        }
        if all.count > 20, swimmer != all[0] { store.delete(swimmer) }
      }
    }

    func check() {
      for (index, observed) in observed.enumerated() { check(observed.results, index) }
    }

    func check(_ results: Results<Swimmer>, _ index: Int) {
      let expected = Array(queries[index](store))
      let text: Comment = "\(comment), query \(index)"
      #expect(results.count == expected.count, text)
      #expect(results.isEmpty == expected.isEmpty, text)
      #expect(results.first == expected.first, text)
      #expect(results.last == expected.last, text)
      for _ in 0..<3 where !expected.isEmpty && results.count == expected.count {
        let row = random.below(expected.count)
        #expect(results[row] == expected[row], text)
      }
      if random.chance(10) { #expect(Array(results) == expected, text) }
    }

    private struct Stopped: Error {}

    func step() throws {
      switch random.below(7) {
      case 0, 1, 2:
        try store.write {
          for _ in 0..<(1 + random.below(4)) {
            changeOne()
            if random.chance(40) { check() }
          }
        }
        check()
        try store.untyped.endTurn()
      case 3:
        #expect(throws: Stopped.self) {
          try store.write {
            changeOne()
            check()
            throw Stopped()
          }
        }
      case 4:
        // Another session: this one reads its own version until it is advanced.
        try other.write {
          if let object = try other.object("Swimmer", key: .int(1 + random.below(20))) {
            try object.set([("n", .value(.int(random.below(6))))])
          }
        }
        check()
        store.refresh()
      case 5:
        let silenced = observed.map(\.token).filter { !ended.contains(ObjectIdentifier($0)) }
          .filter { _ in random.chance(50) }
        try store.write(withoutNotifying: silenced) { changeOne() }
        check()
        store.refresh()
      case _:
        let index = random.below(observed.count)
        let token = observed[index].token
        if random.chance(10) {
          token.invalidate()
          ended.insert(ObjectIdentifier(token))
        }
      }
      check()
    }
  }

  @Test(arguments: seeds(8))
  func `what is read of observed results is what their query finds`(seed: UInt64) throws {
    let pool = try Pool(Store(), seed)
    pool.comment = "HERALD_SEED=\(seed), the beginning"
    pool.check()
    try pool.store.untyped.endTurn()
    for step in 0..<80 {
      pool.comment = "HERALD_SEED=\(seed), step \(step)"
      try pool.step()
    }
    #expect(pool.readsInBlocks > 50, "HERALD_SEED=\(seed)")
  }
}
