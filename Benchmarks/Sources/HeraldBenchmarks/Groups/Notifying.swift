import Herald

/// One kind of observed results, and the change that its observer receives.
private struct Watch {
  enum Change {
    /// Any dog gets another weight: a modification.
    case weight
    /// A dog with the weight as sort key gets another: a move.
    case sortKey
    /// A dog's age becomes 0, and in the next write 5 again: a deletion, then an insertion.
    case membership
  }

  let name: String
  let query: String
  let change: Change
}

/// The time from the call of `write` to the end of the turn, when the block has returned.
extension HeraldBenchmarks {
  private static let watches = [
    Watch(name: "unsorted", query: "", change: .weight),
    Watch(name: "filtered", query: "where age > 0", change: .membership),
    Watch(name: "sorted", query: "sort(weight)", change: .sortKey),
    Watch(name: "filtered, sorted", query: "where age > 0 sort(weight)", change: .sortKey),
  ]

  static func notifying() -> [Benchmark] {
    [1, 100].flatMap { changed in
      watches.map { watch in
        Benchmark(
          name: "notify: \(watch.name), \(changed) changed",
          sizes: [1_000, 10_000, 100_000, 1_000_000], unit: .none,
          target: .atMost(changed == 1 ? 50e-6 : 2e-3), growthLimit: changed == 1 ? 3 : nil,
          canGrow: changed == 1
        ) { size, effort in try latency(watch, changed, size, effort) }
      }
    }
  }

  private static func latency(
    _ watch: Watch, _ changed: Int, _ size: Int, _ effort: Effort
  ) throws -> Samples {
    let isFiltered = watch.query.contains("where")
    let kennel = try Kennel(size, strays: isFiltered)
    let results = try kennel.store.results(Kennel.className, watch.query)
    try require(results.count == size, "not \(size) rows are observed")
    let recorder = try results.recorder()
    defer { recorder.stop() }
    var work = Work(kennel, watch.change, changed)
    for _ in 0..<10 { _ = try work.round(recorder) }
    return try effort.samples(changed == 1 ? 1_000 : 300) { _ in try work.round(recorder) }
  }

  /// The first delivery of a query: a scan, and a sort if the query has one.
  static func initialDelivery() -> [Benchmark] {
    watches.map { watch in
      Benchmark(
        name: "initial: \(watch.name)", sizes: [1_000, 10_000, 100_000, 1_000_000],
        unit: .each("row")
      ) { size, effort in
        let kennel = try Kennel(size, strays: watch.query.contains("where"))
        let results = try kennel.store.results(Kennel.className, watch.query)
        return try effort.times(11, units: size) { try results.recorder().stop() }
      }
    } + [
      Benchmark(
        name: "memory: a filtered, sorted view", sizes: [100_000, 1_000_000], unit: .each("row"),
        target: .atMost(16, .unit)
      ) { size, effort in
        let kennel = try Kennel(size)
        let results = try kennel.store.results(Kennel.className, "where age > 0 sort(weight)")
        return try heap(kennel, effort) { try results.recorder() }
      },
      Benchmark(
        name: "memory: an unsorted view", sizes: [100_000, 1_000_000], unit: .each("row"),
        target: .atMost(0.25, .unit)
      ) { size, effort in
        let kennel = try Kennel(size)
        let results = try kennel.store.results(Kennel.className, "where age > 0")
        return try heap(kennel, effort) { try results.recorder() }
      },
    ]
  }

  /// Measures how much the heap grows by a call of `make`.
  private static func heap(
    _ kennel: Kennel, _ effort: Effort, _ make: () throws -> ChangeRecorder<DynamicCollectionChange>
  ) throws -> Samples {
    try make().stop()
    return try effort.samples(3, units: kennel.count, quantity: .memory) { _ in
      // Until the next commit, a new view would share the rows of the one before.
      try kennel.store.write {}
      try kennel.store.endTurn()
      let before = Machine.heapBytes
      let recorder = try make()
      defer { recorder.stop() }
      return Double(Machine.heapBytes - before)
    }
  }
}

/// Writes that change some dogs, one after another.
private struct Work {
  private let kennel: Kennel
  private let change: Watch.Change
  private let count: Int
  private var litter = Litter(seed: 2)
  private var rounds = 0
  private var dogs: [ObjectHandle] = []

  init(_ kennel: Kennel, _ change: Watch.Change, _ count: Int) {
    self.kennel = kennel
    self.change = change
    self.count = count
  }

  /// Makes a change and delivers it; returns the time in seconds.
  mutating func round(_ recorder: ChangeRecorder<DynamicCollectionChange>) throws -> Double {
    let isReturning = change == .membership && rounds % 2 == 1
    if !isReturning {
      dogs = try litter.random.distinct(count, in: 0..<kennel.count).map(kennel.dog)
    }
    rounds += 1
    let name = change == .membership ? "age" : "weight"
    let contents = dogs.map { _ in
      change == .membership ? .value(.int(isReturning ? 5 : 0)) : litter.weight()
    }
    let calls = recorder.calls
    let time = try seconds {
      try kennel.store.write {
        for (dog, content) in zip(dogs, contents) { try dog.set(name, to: content) }
      }
      try kennel.store.endTurn()
    }
    try require(recorder.calls == calls + 1, "the block was not called once")
    let isRight = recorder.update.map { isExpected($0, isReturning) } ?? false
    try require(isRight, "the block received \(String(describing: recorder.last))")
    return time
  }

  private func isExpected(_ changes: ChangeSet, _ isReturning: Bool) -> Bool {
    let counts = [changes.deletions, changes.insertions, changes.modifications].map(\.count)
    return switch change {
    case .weight: counts == [0, 0, count]
    case .sortKey: counts[0] == counts[1] && counts[0] + counts[2] == count
    case .membership: counts == (isReturning ? [0, count, 0] : [count, 0, 0])
    }
  }
}
