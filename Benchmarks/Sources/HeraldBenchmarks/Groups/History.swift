import Herald

extension HeraldBenchmarks {
  /// The commits between the earlier versions and the present, each of which changes one object.
  private static let commits = 1_000
  private static let sizes = [1_000, 100_000, 1_000_000]

  /// Earlier versions, and taking back: the cost follows the commits in between, not the store.
  static func history() -> [Benchmark] {
    [
      past("freeze at") { past, _ in try require(past.isFrozen, "the store is not frozen") },
      past("freeze at, and a page of 20 rows") { past, _ in
        let rows = try past.results(Kennel.className, "limit(20)").objects
        let names = try rows.map { try $0.value("name") }
        try require(names.count == 20, "\(names.count) rows were read")
      },
      past("freeze at, and a property of an object") { past, kennel in
        let value = try past.object(kennel.dog(at: 7).id)?.value("weight")
        try require(value != nil, "there is no dog")
      },
      past("freeze at, and the count") { past, kennel in
        let count = try past.objects(Kennel.className).count
        try require(count == kennel.count, "\(count) dogs were counted")
      },
      past("freeze at, and the count of a condition") { past, kennel in
        let count = try past.results(Kennel.className, "where age > 9").count
        try require(count > 0, "no dogs were counted")
      },
      history("the count of that condition now", growthLimit: nil) { kennel, _ in
        try seconds {
          let count = try kennel.store.results(Kennel.className, "where age > 9").count
          try require(count > 0, "no dogs were counted")
        }
      },
      history("the difference of two versions") { kennel, iteration in
        let store = kennel.store
        return try seconds {
          let old = try store.frozen(at: store.version - commits - iteration % 2)
          let changes = try store.difference(
            from: old.objects(Kennel.className),
            to: store.frozen(at: store.version).objects(Kennel.className))
          try require(!changes.modifications.isEmpty, "nothing has changed")
        }
      },
      history("undo of the last commit, and redo") { kennel, _ in
        try seconds {
          try kennel.store.undo()
          try kennel.store.redo()
        }
      },
    ]
  }

  private static func past(
    _ name: String, _ read: @escaping (DynamicStore, Kennel) throws -> Void
  ) -> Benchmark {
    history(name) { kennel, iteration in
      let store = kennel.store
      // Another version each time, since the last one is kept.
      return try seconds {
        try read(store.frozen(at: store.version - commits - iteration % 2), kennel)
      }
    }
  }

  private static func history(
    _ name: String, growthLimit: Double? = 3, _ work: @escaping (Kennel, Int) throws -> Double
  ) -> Benchmark {
    Benchmark(name: "history: \(name)", sizes: sizes, unit: .none, growthLimit: growthLimit) {
      size, effort in
      let kennel = try Kennel(size)
      var litter = Litter(seed: 3)
      for _ in 0..<commits + 2 {
        let dog = try kennel.dog(at: Int.random(in: 0..<size, using: &litter.random))
        let weight = litter.weight()
        try kennel.store.write { try dog.set("weight", to: weight) }
      }
      return try effort.samples(101) { try work(kennel, $0) }
    }
  }
}
