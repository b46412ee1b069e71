import Herald

/// Who observes the rows that are written.
private enum Onlooker: String, CaseIterable {
  case itself = "its own session"
  case another = "another session"
}

/// What observers cost a writer before anything is delivered: the call of `write`, whose commit is in
/// memory, on two stores in turn of which one is observed. The turn's end is not measured; where the
/// writer's own session observes, the delivery has begun by then: its commit has been marked.
extension HeraldBenchmarks {
  static func writers() -> [Benchmark] {
    let sizes = [1_000, 100_000, 1_000_000]
    return Onlooker.allCases.map { onlooker in
      Benchmark(
        name: "writer: added to a commit by rows that \(onlooker.rawValue) observes", sizes: sizes,
        unit: .none, target: onlooker == .another ? .atMost(tenthOfACommit) : nil
      ) { size, effort in
        let pair = try Pair(size, onlooker)
        defer { pair.listener.stop() }
        return try effort.samples(2_000) { _ in
          let times = try pair.round()
          return times.observed - times.alone
        }
      }
    } + [
      Benchmark(name: "writer: a commit of rows that nobody observes", sizes: sizes, unit: .none) {
        size, effort in
        let pair = try Pair(size, .itself)
        defer { pair.listener.stop() }
        return try effort.samples(2_000) { _ in try pair.round().alone }
      }
    ]
  }

  /// Seconds: an LMDB commit in memory was measured at 2.5 µs.
  private static let tenthOfACommit = 0.25e-6

  /// Two stores of the same size, one of them with a sorted view of every row.
  private final class Pair {
    let listener: Listener<CollectionChange>
    private let alone: Kennel
    private let observed: Kennel
    private let onlooker: Store
    private var litter = Litter(seed: 2)
    private var isObservedFirst = false

    init(_ size: Int, _ onlooker: Onlooker) throws {
      alone = try Kennel(size)
      observed = try Kennel(size)
      switch onlooker {
      case .itself: self.onlooker = observed.store
      case .another: self.onlooker = try observed.store.newSession(named: "onlooker")
      }
      listener = try self.onlooker.results(Kennel.className, "sort(weight)").listener()
    }

    /// The same write in both, in turns the one or the other first.
    func round() throws -> (observed: Double, alone: Double) {
      let place = Int.random(in: 0..<alone.dogs.count, using: &litter.random)
      let weight = litter.weight()
      isObservedFirst.toggle()
      let first = try write(weight, place, isObservedFirst ? observed : alone)
      let second = try write(weight, place, isObservedFirst ? alone : observed)
      let calls = listener.calls
      for store in [alone.store, observed.store] { try store.endTurn() }
      if onlooker !== observed.store { try onlooker.endTurn() }
      try require(listener.calls == calls + 1, "the block was not called once")
      return isObservedFirst ? (first, second) : (second, first)
    }

    private func write(_ weight: PropertyContent, _ place: Int, _ kennel: Kennel) throws -> Double {
      let dog = kennel.dogs[place]
      return try seconds { try kennel.store.write { try dog.set("weight", to: weight) } }
    }
  }
}
