import Dispatch
import Glibc
import Herald

/// The row that one process writes and another observes.
private final class Beacon: Object {
  @Persisted var number = 0
}

/// What a program waits for an event of another process: from the return of `write` there until the observer's block is
/// called here. On one machine the monotonic clock is that of both.
extension HeraldBenchmarks {
  static func otherProcesses() -> [Benchmark] {
    let name = "process: until the block of an observer in another process"
    return [
      Benchmark(name: name, sizes: [1], unit: .none, target: .atMost(60e-6)) { _, effort in
        try observedElsewhere(effort)
      },
      Benchmark(name: name + ", 99 of 100", sizes: [1], unit: .none, target: .atMost(300e-6)) {
        _, effort in
        let samples = try observedElsewhere(effort)
        return Samples([samples.values[samples.values.count * 99 / 100]])
      },
    ]
  }

  /// The first argument of the observing process, whose second one is the file.
  static let observing = "--observe-for-a-benchmark"

  private static func observedElsewhere(_ effort: Effort) throws -> Samples {
    let folder = try TemporaryFolder()
    let file = folder.file("beacons.hdb")
    let store = try Store(path: file)
    let beacon = Beacon()
    try store.write { store.add(beacon) }
    let observer = try ChildProcess(CommandLine.arguments[0], [observing, file])
    // Its line says that the block has been called with the first rows.
    try observer.awaitLine()
    var returns: [Double] = []
    let count = Int(4_000 * effort.share)
    for number in 1...count {
      try store.write { beacon.number = number }
      returns.append(now())
      // A reader of events is idle between them.
      usleep(500)
    }
    try store.write { beacon.number = -1 }
    let calls = observer.finish().output.split(separator: "\n").map { line in
      line.split(separator: " ").compactMap { Double($0) }
    }
    var called: [Int: Double] = [:]
    for call in calls { called[Int(call[0])] = call[1] }
    // A call may bring several commits, of which the block sees the last.
    let waits = returns.indices.compactMap { index in
      called[index + 1].map { $0 - returns[index] }
    }
    try require(waits.count > count / 2, "the observer was called \(waits.count) times")
    return Samples(waits)
  }

  /// Runs the observing process, which ends by itself.
  static func observe(_ file: String) -> Never {
    do {
      let store = try Store(path: file)
      let beacons = store.objects(Beacon.self)
      nonisolated(unsafe) var calls: [(number: Int, time: Double)] = []
      calls.reserveCapacity(10_000)
      let token = beacons.observe { change in
        let time = now()
        switch change {
        case .initial:
          print("observing")
          fflush(nil)
        case .update(let beacons, _, _, _):
          let number = beacons[0].number
          if number >= 0 { return calls.append((number, time)) }
          for call in calls { print(call.number, call.time) }
          fflush(nil)
          exit(0)
        case .error(let error): fatalError("\(error)")
        }
      }
      withExtendedLifetime(token) { dispatchMain() }
    } catch {
      fatalError("\(error)")
    }
  }
}
