import Herald

extension HeraldBenchmarks {
  /// A list of links with a row put in at its front, and taken out again.
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
        let listener = Listener<CollectionChange>()
        return try effort.times(11, units: size) {
          let calls = listener.calls
          let token = try list.observe { _, change in listener.hear(change) }
          try kennel.store.endTurn()
          token.invalidate()
          try require(listener.calls == calls + 1, "no initial was told")
        }
      },
    ]
  }

  /// A list with every dog of a kennel.
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
    let listener = Listener<CollectionChange>()
    if isObserved { listener.hold(try list.observe { _, change in listener.hear(change) }) }
    defer { listener.stop() }
    try kennel.store.endTurn()
    var random = SplitMix64(seed: 3)
    return try effort.samples(1_000) { _ in
      let link = Value.link(kennel.dogs[Int.random(in: 0..<size, using: &random)].id)
      let time = try seconds {
        try kennel.store.write { try list.insert([link], at: 0) }
        try kennel.store.endTurn()
      }
      let told = listener.update?.insertions
      try require(!isObserved || told == [0], "the block was not told of row 0")
      try kennel.store.write { try list.remove(at: 0) }
      try kennel.store.endTurn()
      return time
    }
  }
}
