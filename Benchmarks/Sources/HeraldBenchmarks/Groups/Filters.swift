import Herald

/// A family of filters over the dogs' weights, from 0 up to 80.
private struct Family: Sendable {
  let name: String
  /// The filter at an index among `count`.
  let filter: @Sendable (_ index: Int, _ count: Int) -> String
  /// Whether a change of a weight may call this number of `count` blocks.
  let isExpected: @Sendable (_ calls: Int, _ count: Int) -> Bool
  /// The maximum time for a thousand filters, in seconds.
  var limit = 200e-6
  /// Whether only dogs that every filter matches are changed.
  var matchesAlways = false
  var sizes = [1, 10, 100, 1_000]
}

extension HeraldBenchmarks {
  private static let families = [
    Family(
      name: "different ranges, 1 or 2 notified",
      filter: { index, count in
        let step = 80 / Double(count)
        return "where weight >= \(Double(index) * step) AND weight < \(Double(index + 1) * step)"
      }, isExpected: { calls, _ in calls == 1 || calls == 2 }, limit: 20e-6,
      sizes: [1, 10, 100, 1_000, 10_000, 100_000]),
    Family(
      name: "different bounds, about half notified",
      filter: { index, count in "where weight >= \(Double(index) * 80 / Double(count))" },
      isExpected: { calls, count in calls >= 1 && calls <= count },
      limit: 1e-3),
    Family(
      name: "that each match half of the objects, all notified",
      filter: { index, _ in "where age >= 10 AND weight > \(-1 - index)" },
      isExpected: { calls, count in calls == count },
      limit: 0.3e-3, matchesAlways: true),
    Family(
      name: "of a property that is not changed, none notified",
      filter: { index, _ in "where age == \(index + 100)" },
      isExpected: { calls, _ in calls == 0 }),
  ]

  /// Many filters over one class of 100,000 objects, of which one is changed.
  static func filters() -> [Benchmark] {
    families.map { family in
      Benchmark(
        name: "filters: \(family.name)", sizes: family.sizes, unit: .each("filter"),
        target: .atMost(family.limit)
      ) { size, effort in
        let kennel = try Kennel(100_000)
        let recorder = ChangeRecorder<DynamicCollectionChange>()
        let tokens = try (0..<size).map { index in
          try kennel.store.results(Kennel.className, family.filter(index, size))
            .observe { _, change in recorder.record(change) }
        }
        defer { for token in tokens { token.invalidate() } }
        try kennel.store.endTurn()
        try require(recorder.calls == size, "an initial is missing")
        var litter = Litter(seed: 2)
        let dogs =
          family.matchesAlways
          ? try kennel.store.results(Kennel.className, family.filter(0, 1)).objects : kennel.dogs
        return try effort.samples(500, units: size) { _ in
          let dog = dogs[Int.random(in: 0..<dogs.count, using: &litter.random)]
          let weight = litter.weight()
          let calls = recorder.calls
          let time = try seconds {
            try kennel.store.write { try dog.set("weight", to: weight) }
            try kennel.store.endTurn()
          }
          let called = recorder.calls - calls
          try require(family.isExpected(called, size), "\(called) blocks were called")
          return time
        }
      }
    } + memoryOfFilters(named: "different ranges", families[0].filter)
      + memoryOfFilters(named: "different names") { index, _ in "where name == \"Dog \(index)\"" }
  }

  private static func memoryOfFilters(
    named name: String, _ filter: @escaping @Sendable (_ index: Int, _ count: Int) -> String
  ) -> [Benchmark] {
    [
      Benchmark(
        name: "filters: memory of one of \(name)", sizes: [1_000, 10_000, 100_000],
        unit: .each("filter"), target: .atMost(200, .unit)
      ) { size, effort in
        let kennel = try Kennel(100_000)
        let recorder = ChangeRecorder<DynamicCollectionChange>()
        return try effort.samples(1, units: size, quantity: .memory) { _ in
          let calls = recorder.calls
          var tokens: [ObservationToken] = []
          tokens.reserveCapacity(size)
          let before = Machine.heapBytes
          for index in 0..<size {
            tokens.append(
              try kennel.store.results(Kennel.className, filter(index, size))
                .observe { _, change in recorder.record(change) })
          }
          try kennel.store.endTurn()
          try require(recorder.calls == calls + size, "an initial is missing")
          let after = withExtendedLifetime(tokens) { Machine.heapBytes }
          // Their observers end with the turn: else they would be counted as free in the next sample.
          tokens = []
          try kennel.store.endTurn()
          return Double(after - before)
        }
      }
    ]
  }
}
