import Herald

extension HeraldBenchmarks {
  private static let batch = 10_000

  /// One value of one random object.
  static func reading() -> [Benchmark] {
    let sizes = [1_000, 10_000, 100_000, 1_000_000]
    return [
      Benchmark(
        name: "read: a property of a held object", sizes: sizes, unit: .each("read"),
        target: .near(185e-9, .unit)
      ) { size, effort in
        let registry = try Registry.of(size)
        return try reads(of: registry, effort) { entry, _ in
          guard case .int(let age) = try entry.value("age") else { return 0 }
          return age
        }
      },
      Benchmark(
        name: "read: a string property of a held object", sizes: sizes, unit: .each("read")
      ) { size, effort in
        let registry = try Registry.of(size)
        return try reads(of: registry, effort) { entry, _ in
          guard case .string(let name) = try entry.value("name") else { return 0 }
          return name.utf8.count
        }
      },
      Benchmark(
        name: "read: an object by its number", sizes: sizes, unit: .each("read"),
        target: .near(185e-9, .unit)
      ) { size, effort in
        let registry = try Registry.of(size)
        let classID = try registry.store.classID(Registry.className)
        return try reads(of: registry, effort) { _, index in
          registry.store.object(ObjectID(classID, index + 1))?.id.number ?? 0
        }
      },
      Benchmark(
        name: "read: a property of an object by its number", sizes: sizes, unit: .each("read"),
        target: .atMost(20e-9, .unit)
      ) { size, effort in
        let store = try Registry.of(size).store
        let classID = try store.classID(Registry.className)
        var random = SplitMix64(seed: 4)
        let objects = (0..<batch).map { _ in
          ObjectID(classID, Int.random(in: 1...size, using: &random))
        }
        return try effort.times(51, units: batch) {
          var found = 0
          for object in objects {
            if case .int = try store.value("age", of: object) { found += 1 }
          }
          try require(found == batch, "\(batch - found) reads found nothing")
        }
      },
      Benchmark(
        name: "read: an object by its integer primary key", sizes: sizes, unit: .each("read")
      ) { size, effort in
        let registry = try Registry.of(size)
        return try reads(of: registry, effort) { _, index in
          let found = try registry.store.object(Registry.className, key: .int(3 * index))
          return found?.id.number ?? 0
        }
      },
    ]
  }

  /// Times `read`, which returns a value other than 0 if it finds the entry.
  private static func reads(
    of registry: Registry, _ effort: Effort,
    _ read: (_ entry: ObjectHandle, _ index: Int) throws -> Int
  ) throws -> Samples {
    var random = SplitMix64(seed: 2)
    return try effort.samples(51, units: batch) { _ in
      let indexes = (0..<batch).map { _ in
        Int.random(in: 0..<registry.entries.count, using: &random)
      }
      // Outside of the measurement: reading an array of a million would dominate it.
      let held = indexes.map { registry.entries[$0] }
      var found = 0
      let time = try seconds {
        for (entry, index) in zip(held, indexes) where try read(entry, index) != 0 { found += 1 }
      }
      try require(found == batch, "\(batch - found) reads found nothing")
      return time
    }
  }
}
