import Herald

extension HeraldBenchmarks {
  /// Many tokens on different objects; a change of one object calls one block.
  static func tokens() -> [Benchmark] {
    [
      Benchmark(
        name: "tokens: of objects, one object changed", sizes: [10, 100, 1_000, 10_000, 100_000, 1_000_000],
        unit: .none, target: .atMost(20e-6), growthLimit: 3
      ) { size, effort in
        let kennel = try Kennel(max(size, 10_000))
        let recorder = ChangeRecorder<DynamicObjectChange>()
        let tokens = try kennel.dogs.prefix(size).map { dog in
          try dog.observe { _, change in recorder.record(change) }
        }
        defer { for token in tokens { token.invalidate() } }
        try kennel.store.endTurn()
        var litter = Litter(seed: 2)
        return try effort.samples(1_000) { _ in
          let dog = kennel.dogs[Int.random(in: 0..<size, using: &litter.random)]
          let weight = litter.weight()
          let calls = recorder.calls
          let time = try seconds {
            try kennel.store.write { try dog.set("weight", to: weight) }
            try kennel.store.endTurn()
          }
          try require(recorder.calls == calls + 1, "not exactly one block was called")
          return time
        }
      }
    ]
  }
}
