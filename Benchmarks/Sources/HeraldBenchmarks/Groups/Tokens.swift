import Herald

/// A dog as a class of the program.
private final class Puppy: Object {
  @Persisted var name = ""
  @Persisted var weight = 0.0
}

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
      },
      Benchmark(
        name: "tokens: of objects, all of 100 changed objects", sizes: [100, 10_000, 1_000_000],
        unit: .none, growthLimit: 3
      ) { size, effort in
        let kennel = try Kennel(max(size, 10_000))
        let recorder = ChangeRecorder<DynamicObjectChange>()
        let tokens = try kennel.dogs.prefix(size).map { dog in
          try dog.observe { _, change in recorder.record(change) }
        }
        defer { for token in tokens { token.invalidate() } }
        try kennel.store.endTurn()
        var litter = Litter(seed: 2)
        return try effort.samples(300) { _ in
          let dogs = litter.random.distinct(100, in: 0..<size).map { kennel.dogs[$0] }
          let weights = dogs.map { _ in litter.weight() }
          let calls = recorder.calls
          let time = try seconds {
            try kennel.store.write {
              for (dog, weight) in zip(dogs, weights) { try dog.set("weight", to: weight) }
            }
            try kennel.store.endTurn()
          }
          try require(recorder.calls == calls + 100, "not every block was called once")
          return time
        }
      },
      Benchmark(
        name: "tokens: memory of one on an object", sizes: [10_000, 1_000_000], unit: .each("token"),
        target: .atMost(200, .unit)
      ) { size, effort in
        let kennel = try Kennel(size)
        let recorder = ChangeRecorder<DynamicObjectChange>()
        return try effort.samples(3, units: size, quantity: .memory) { _ in
          var tokens: [ObservationToken] = []
          tokens.reserveCapacity(size)
          let before = Machine.heapBytes
          for dog in kennel.dogs {
            tokens.append(try dog.observe { _, change in recorder.record(change) })
          }
          try kennel.store.endTurn()
          let after = Machine.heapBytes
          tokens = []
          try kennel.store.endTurn()
          return Double(after - before)
        }
      },
      Benchmark(
        name: "tokens: memory of one on a typed object", sizes: [10_000, 1_000_000], unit: .each("token"),
        target: .atMost(200, .unit)
      ) { size, effort in
        let store = try Store()
        try store.write { for _ in 0..<size { store.add(Puppy()) } }
        let puppies = Array(store.objects(Puppy.self))
        var calls = 0
        return try effort.samples(3, units: size, quantity: .memory) { _ in
          var tokens: [NotificationToken] = []
          tokens.reserveCapacity(size)
          let before = Machine.heapBytes
          for puppy in puppies { tokens.append(puppy.observe { _ in calls += 1 }) }
          store.refresh()
          let after = Machine.heapBytes
          try store.write { puppies[size / 2].weight += 1 }
          calls = 0
          store.refresh()
          try require(calls == 1, "not exactly one block was called")
          tokens = []
          store.refresh()
          return Double(after - before)
        }
      },
    ]
  }
}
