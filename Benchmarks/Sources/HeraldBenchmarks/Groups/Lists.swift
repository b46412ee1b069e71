import Herald

extension HeraldBenchmarks {
  /// A list of links in which a row is inserted at the front and removed again.
  static func lists() -> [Benchmark] {
    let sizes = [1_000, 10_000, 100_000]
    return [
      Benchmark(
        name: "list: insert at the front, observed", sizes: sizes, unit: .none,
        target: .atMost(50e-6), growthLimit: 3
      ) { size, effort in try insertions(size, effort, isObserved: true) },
      Benchmark(
        name: "list: insert at the front, not observed", sizes: sizes, unit: .none, growthLimit: 3
      ) { size, effort in try insertions(size, effort, isObserved: false) },
      Benchmark(
        name: "list: initial", sizes: sizes, unit: .each("row")
      ) { size, effort in
        let (kennel, list) = try packed(size)
        let recorder = ChangeRecorder<DynamicCollectionChange>()
        return try effort.times(11, units: size) {
          let calls = recorder.calls
          let token = try list.observe { _, change in recorder.record(change) }
          try kennel.store.endTurn()
          token.invalidate()
          try require(recorder.calls == calls + 1, "no initial was delivered")
        }
      },
    ]
  }

  /// Creates a list with every dog of a kennel.
  private static func packed(_ size: Int) throws -> (Kennel, LiveCollection) {
    let kennel = try Kennel(size)
    let store = kennel.store
    try store.declare(
      ClassDefinition(
        name: "Pack",
        properties: [.init(name: "dogs", element: .link(Kennel.className), shape: .list)]))
    let links = kennel.dogs.map { Value.link($0.id) }
    let pack = try store.write { try store.add("Pack", [("dogs", .list(links))]) }
    return (kennel, try pack.collection("dogs"))
  }

  private static func insertions(
    _ size: Int, _ effort: Effort, isObserved: Bool
  ) throws -> Samples {
    let (kennel, list) = try packed(size)
    let recorder = ChangeRecorder<DynamicCollectionChange>()
    if isObserved { recorder.hold(try list.observe { _, change in recorder.record(change) }) }
    defer { recorder.stop() }
    try kennel.store.endTurn()
    var random = SplitMix64(seed: 3)
    return try effort.samples(1_000) { _ in
      let link = Value.link(kennel.dogs[Int.random(in: 0..<size, using: &random)].id)
      let time = try seconds {
        try kennel.store.write { try list.insert([link], at: 0) }
        try kennel.store.endTurn()
      }
      let insertions = recorder.update?.insertions
      try require(!isObserved || insertions == [0], "the block did not receive row 0")
      try kennel.store.write { try list.remove(at: 0) }
      try kennel.store.endTurn()
      return time
    }
  }
}
