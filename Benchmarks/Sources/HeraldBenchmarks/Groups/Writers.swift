import Herald

/// The session that observes the rows that are written.
private enum ObservingSession: String, CaseIterable {
  case itself = "its own session"
  case another = "another session"
}

/// The cost of observers for a writer before the delivery: the call of `write`, with a commit in memory,
/// alternately on two stores of which one is observed. The end of the turn is not measured; if the writer's
/// own session observes, the commit has marked the affected rows by then.
extension HeraldBenchmarks {
  static func writers() -> [Benchmark] {
    let sizes = [1_000, 100_000, 1_000_000]
    return ObservingSession.allCases.map { observer in
      Benchmark(
        name: "writer: added to a commit by rows that \(observer.rawValue) observes", sizes: sizes,
        unit: .none, target: observer == .another ? .atMost(tenthOfACommit) : nil
      ) { size, effort in
        let pair = try Pair(size, observer)
        defer { pair.recorder.stop() }
        return try effort.samples(2_000) { _ in
          let times = try pair.round()
          return times.observed - times.alone
        }
      }
    } + [
      Benchmark(name: "writer: a commit of rows that nobody observes", sizes: sizes, unit: .none) {
        size, effort in
        let pair = try Pair(size, .itself)
        defer { pair.recorder.stop() }
        return try effort.samples(2_000) { _ in try pair.round().alone }
      }
    ]
  }

  /// A tenth of an LMDB commit in memory, measured at 2.5 µs, in seconds.
  private static let tenthOfACommit = 0.25e-6

  /// Two stores of the same size, one of them with a sorted view of every row.
  private final class Pair {
    let recorder: ChangeRecorder<DynamicCollectionChange>
    private let alone: Kennel
    private let observed: Kennel
    private let observer: DynamicStore
    /// A session of the other store, too, for a commit beside one takes longer than alone.
    private let idle: DynamicStore?
    private var litter = Litter(seed: 2)
    private var isObservedFirst = false

    init(_ size: Int, _ observer: ObservingSession) throws {
      alone = try Kennel(size)
      observed = try Kennel(size)
      switch observer {
      case .itself:
        self.observer = observed.store
        idle = nil
      case .another:
        self.observer = try observed.store.newSession(named: "observer")
        idle = try alone.store.newSession(named: "idle")
      }
      recorder = try self.observer.results(Kennel.className, "sort(weight)").recorder()
    }

    /// Makes the same write in both, alternating which is first.
    func round() throws -> (observed: Double, alone: Double) {
      let index = Int.random(in: 0..<alone.dogs.count, using: &litter.random)
      let weight = litter.weight()
      isObservedFirst.toggle()
      let first = try write(weight, index, isObservedFirst ? observed : alone)
      let second = try write(weight, index, isObservedFirst ? alone : observed)
      let calls = recorder.calls
      for store in [alone.store, observed.store] { try store.endTurn() }
      if observer !== observed.store { try observer.endTurn() }
      try idle?.endTurn()
      try require(recorder.calls == calls + 1, "the block was not called once")
      return isObservedFirst ? (first, second) : (second, first)
    }

    private func write(_ weight: PropertyContent, _ index: Int, _ kennel: Kennel) throws -> Double {
      let dog = kennel.dogs[index]
      return try seconds { try kennel.store.write { try dog.set("weight", to: weight) } }
    }
  }
}
