import Herald

/// A family of filters over the dogs' weights, from 0 up to 80.
private struct Family: Sendable {
  let name: String
  /// The filter at a place among `count`.
  let filter: @Sendable (_ place: Int, _ count: Int) -> String
  /// How many blocks of `count` a change of a weight from one value to another calls.
  let isExpected: @Sendable (_ calls: Int, _ count: Int) -> Bool
  /// Seconds, for a thousand.
  var limit = 200e-6
  /// Whether only dogs are changed that every filter matches.
  var isAlwaysTold = false
}

extension HeraldBenchmarks {
  private static let families = [
    Family(
      name: "different ranges, 1 or 2 told",
      filter: { place, count in
        let step = 80 / Double(count)
        return "where weight >= \(Double(place) * step) AND weight < \(Double(place + 1) * step)"
      }, isExpected: { calls, _ in calls == 1 || calls == 2 }, limit: 100e-6),
    Family(
      name: "different bounds, about half told",
      filter: { place, count in "where weight >= \(Double(place) * 80 / Double(count))" },
      isExpected: { calls, count in calls >= 1 && calls <= count },
      limit: 1e-3),
    Family(
      name: "that each match half of the objects, all told",
      filter: { place, _ in "where age >= 10 AND weight > \(-1 - place)" },
      isExpected: { calls, count in calls == count },
      limit: 1e-3, isAlwaysTold: true),
    Family(
      name: "of a property that is not changed, none told",
      filter: { place, _ in "where age == \(place + 100)" },
      isExpected: { calls, _ in calls == 0 }),
  ]

  /// Many filters over one class of 100,000 objects; one object is changed.
  static func filters() -> [Benchmark] {
    families.map { family in
      Benchmark(
        name: "filters: \(family.name)", sizes: [1, 10, 100, 1_000], unit: .each("filter"),
        target: .atMost(family.limit)
      ) { size, effort in
        let kennel = try Kennel(100_000)
        let listener = Listener<CollectionChange>()
        let tokens = try (0..<size).map { place in
          try kennel.store.results(Kennel.className, family.filter(place, size))
            .observe { _, change in listener.hear(change) }
        }
        defer { for token in tokens { token.invalidate() } }
        try kennel.store.endTurn()
        try require(listener.calls == size, "an initial is missing")
        var litter = Litter(seed: 2)
        let dogs =
          family.isAlwaysTold
          ? try kennel.store.results(Kennel.className, family.filter(0, 1)).objects : kennel.dogs
        return try effort.samples(500, units: size) { _ in
          let dog = dogs[Int.random(in: 0..<dogs.count, using: &litter.random)]
          let weight = litter.weight()
          let calls = listener.calls
          let time = try seconds {
            try kennel.store.write { try dog.set("weight", to: weight) }
            try kennel.store.endTurn()
          }
          let called = listener.calls - calls
          try require(family.isExpected(called, size), "\(called) blocks were called")
          return time
        }
      }
    }
  }
}
