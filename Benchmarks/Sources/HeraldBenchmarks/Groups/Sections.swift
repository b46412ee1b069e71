import Herald

/// A dog as a class of the program.
private final class Pedigree: Object {
  @Persisted var age = 0
  @Persisted var weight = 0.0
  @Persisted var breed = ""
}

/// The time from the call of `write` to the end of the turn, when the block of an observer of sections or of a value has
/// returned.
extension HeraldBenchmarks {
  /// An observer, and a change of one row that concerns it.
  private struct Observed {
    let name: String
    let limit: Double
    let observe: (Results<Pedigree>, _ count: @escaping () -> Void) -> NotificationToken
    let change: (_ dog: Pedigree, _ round: Int) -> Void
  }

  private static func sectioned(
    _ name: String, change: @escaping (Pedigree, Int) -> Void
  ) -> Observed {
    Observed(
      name: "sections: \(name)", limit: 5e-6,
      observe: { dogs, count in
        dogs.sorted(by: \.weight).sectioned(by: \.breed).observe { _ in count() }
      }, change: change)
  }

  private static var observed: [Observed] {
    [
      sectioned("a row goes to another") { dog, round in
        dog.breed = Kennel.breeds[round % Kennel.breeds.count]
      },
      sectioned("a row moves within one") { dog, round in
        dog.weight = Double(round * 7_919 % 40_000) / 1_000
      },
      sectioned("the first and the last row of one") { dog, round in
        dog.breed = round % 2 == 1 ? "xoloitzcuintle" : "beagle"
      },
      Observed(
        name: "sections: of an expression, a row goes to another", limit: 5e-6,
        observe: { dogs, count in dogs.sectioned { $0.age / 5 }.observe { _ in count() } },
        change: { dog, round in dog.age = round % 2 == 1 ? 3 : 8 }),
      Observed(
        name: "value: count", limit: 3e-6,
        observe: { dogs, count in
          dogs.where { $0.age > 0 }.count.observe { (_: LiveValueChange<Int>) in count() }
        }, change: { dog, round in dog.age = (round + 1) % 2 }),
      Observed(
        name: "value: sum", limit: 3e-6,
        observe: { dogs, count in
          dogs.sum(\.age).observe { (_: LiveValueChange<Int>) in count() }
        }, change: { dog, round in dog.age = round % 19 }),
    ]
  }

  static func sections() -> [Benchmark] {
    observed.map { observed in
      Benchmark(
        name: observed.name, sizes: [10_000, 1_000_000], unit: .none,
        target: .atMost(observed.limit)
      ) { size, effort in
        let store = try Store()
        try store.write {
          for index in 0..<size {
            let dog = Pedigree()
            dog.age = 1 + index % 19
            dog.weight = Double(index * 7_919 % 40_000) / 1_000
            dog.breed = Kennel.breeds[index % Kennel.breeds.count]
            store.add(dog)
          }
        }
        var calls = 0
        let token = observed.observe(store.objects(Pedigree.self)) { calls += 1 }
        store.refresh()
        try require(calls == 1, "no initial was delivered")
        defer { token.invalidate() }
        let all = store.objects(Pedigree.self)
        var random = SplitMix64(seed: 3)
        // Chosen before: to find one after a change is a query.
        let dogs = (0..<500).map { _ in all[Int.random(in: 0..<size, using: &random)] }
        var round = 0
        return try effort.samples(1_000) { _ in
          // The second change of a dog undoes the first, where there are two.
          let dog = dogs[round / 2 % dogs.count]
          round += 1
          let time = try seconds {
            try store.write { observed.change(dog, round) }
            store.refresh()
          }
          try require(calls <= round + 1, "the block was called more than once")
          return time
        }
      }
    }
  }
}
