import Herald

extension HeraldBenchmarks {
  /// People are observed and a dog is changed, from which the rows are found backwards along the links.
  static func deepChanges() -> [Benchmark] {
    let queries = [
      ("a row's dog changed", ""), ("a row's dog changed its position", "sort(dog.weight)"),
    ]
    return queries.map { name, query in
      Benchmark(
        name: "deep: \(name)", sizes: [1_000, 10_000, 100_000, 1_000_000], unit: .none,
        target: .atMost(50e-6), growthLimit: 3
      ) { size, effort in try latency(query, size, effort) }
    }
  }

  private static func latency(_ query: String, _ size: Int, _ effort: Effort) throws -> Samples {
    let kennel = try Kennel(size)
    let store = kennel.store
    try store.declare(
      ClassDefinition(
        name: "Person",
        properties: [
          .init(name: "name", element: .string),
          .init(name: "dog", element: .link(Kennel.className), isOptional: true),
        ]))
    try store.write {
      for dog in kennel.dogs {
        let properties: [NamedContent] = [
          ("name", .value(.string("Jane"))), ("dog", .value(.link(dog.id))),
        ]
        _ = try store.add("Person", properties)
      }
    }
    let recorder = try store.results("Person", query).recorder()
    defer { recorder.stop() }
    var litter = Litter(seed: 2)
    return try effort.samples(1_000) { _ in
      let dog = kennel.dogs[Int.random(in: 0..<size, using: &litter.random)]
      let weight = litter.weight()
      let calls = recorder.calls
      let time = try seconds {
        try store.write { try dog.set("weight", to: weight) }
        try store.endTurn()
      }
      let rows = recorder.update.map { $0.deletions.count + $0.modifications.count }
      try require(recorder.calls == calls + 1 && rows == 1, "not exactly one row was delivered")
      return time
    }
  }
}
