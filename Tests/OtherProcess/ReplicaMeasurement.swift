import Glibc
import Herald
import HeraldReplication
import Synchronization
import TestSupport

/// Measures replication, for `Documentation/Scaling.md`: `OtherProcess FOLDER measure ADDRESS COUNT [FIGURE]`.
///
/// Prints one line a figure, of all figures or of one that is named. The machines are stores of this process with files of their own in the folder, each used by
/// a thread of its own.
struct ReplicaMeasurement {
  let folder: String
  let address: String
  let count: Int

  func run(_ only: String?) throws {
    let figures: [(name: String, measure: () throws -> Void)] = [
      ("local", measureLocal),
      ("writer", measureOneWriter),
      (
        "conflict",
        {
          try measure(
            "four writers in conflict", streams: ["conflict", "conflict", "conflict", "conflict"])
        }
      ),
      (
        "disjoint",
        {
          try measure(
            "four writers on disjoint stores", streams: ["one", "two", "three", "four"])
        }
      ),
      ("sessions", measureSessions),
      ("catching", { try measureCatchingUp(.small) }),
      ("kinds", { try measureCatchingUp(.ofAllKinds) }),
    ]
    for figure in figures where only == nil || only == figure.name { try figure.measure() }
  }

  private func print(_ name: String, _ value: Double, _ unit: String) {
    let rounded = (value * 10).rounded() / 10
    let line = Array("\(name): \(rounded) \(unit)\n".utf8)
    _ = Glibc.write(STDOUT_FILENO, line, line.count)
  }

  static var now: Double {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
  }

  /// A stream beside that of the address, which keeps all commits.
  private func stream(_ name: String) throws -> NATSStream {
    var stream = try NATSStream(address: address)
    stream.name += "-" + name
    stream.snapshotInterval = .max
    return stream
  }

  private func open(_ name: String, _ file: String) throws -> DynamicStore {
    try DynamicStore(replicated: stream(name), cache: folder + "/\(name)-\(file).hdb")
  }

  private static func declare(_ store: DynamicStore) throws -> ObjectHandle {
    try store.declare(
      ClassDefinition(name: "Note", properties: [.init(name: "number", element: .int)]))
    return try store.write { try store.add("Note", [("number", .value(.int(0)))]) }
  }

  /// The time of a commit of a file that follows no stream.
  private func measureLocal() throws {
    let store = try DynamicStore(path: folder + "/local.hdb")
    let note = try Self.declare(store)
    let start = Self.now
    for number in 1..<count + 1 {
      try store.write { try note.set("number", to: .value(.int(number))) }
    }
    print("commit of a file alone", (Self.now - start) / Double(count) * 1e6, "µs")
    store.close()
    let messages = try stream("local").timesOfMessages(count, size: 60)
    print("message of 60 bytes alone, p50", Self.quantile(messages, 50) * 1e6, "µs")
  }

  /// The commits of one writer, and when they arrive on another machine.
  private func measureOneWriter() throws {
    let one = try open("single", "one")
    let note = try Self.declare(one)
    let watching = Watching(self.count)
    let started = JoinableThread { [self] in
      try watching.run { try open("single", "two") }
    }
    watching.waitUntilReady()
    var (starts, ends): ([Double], [Double]) = ([], [])
    for number in 1..<count + 1 {
      starts.append(Self.now)
      try one.write { try note.set("number", to: .value(.int(number))) }
      ends.append(Self.now)
    }
    let seen = watching.wait()
    started.join()
    let writing = zip(starts, ends).map { $1 - $0 }
    let total = writing.reduce(0, +)
    print("replicated commit, mean", total / Double(count) * 1e6, "µs")
    print("replicated commit, p50", Self.quantile(writing, 50) * 1e6, "µs")
    print("one writer", Double(count) / total, "commits/s")
    let latencies = zip(starts, seen).map { $1 - $0 }
    for part in [50, 99] {
      print(
        "from beginning a write to the observer on another machine, p\(part)",
        Self.quantile(latencies, part) * 1e6, "µs")
    }
    one.close()
  }

  private static func quantile(_ values: [Double], _ part: Int) -> Double {
    values.sorted()[values.count * part / 100]
  }

  /// The commits of a writer a stream, at once, each on a machine of its own.
  private func measure(_ name: String, streams: [String]) throws {
    for stream in Set(streams) {
      let store = try open(stream, "made")
      _ = try Self.declare(store)
      store.close()
    }
    let share = count / streams.count
    try measureThreads(name, streams.count, share) { index in
      let store = try open(streams[index], "\(index)")
      return (store, try store.objects("Note").objects[0])
    }
  }

  /// The commits of four sessions of one process.
  private func measureSessions() throws {
    let first = try open("sessions", "shared")
    _ = try Self.declare(first)
    let last = try stream("sessions").lastSequence()
    try measureThreads("four sessions of one process", 4, count / 4) { _ in
      let store = try open("sessions", "shared")
      return (store, try store.objects("Note").objects[0])
    }
    let messages = try stream("sessions").lastSequence() - last
    print("four sessions of one process", Double(count) / Double(messages), "commits a message")
    first.close()
  }

  private func measureThreads(
    _ name: String, _ threads: Int, _ share: Int,
    _ open: @escaping @Sendable (Int) throws -> (DynamicStore, ObjectHandle)
  ) throws {
    let state = Counters()
    let running = (0..<threads).map { index in
      JoinableThread {
        let (store, note) = try open(index)
        state.ready.add(1, ordering: .sequentiallyConsistent)
        while !state.go.load(ordering: .acquiring) { sched_yield() }
        var written = 0
        while written < share {
          do {
            try store.write {
              guard case .int(let number) = try note.value("number") else { return }
              try note.set("number", to: .value(.int(number + 1)))
            }
            written += 1
          } catch HeraldError.raceLost {
            state.lost.add(1, ordering: .relaxed)
          }
        }
        store.close()
      }
    }
    while state.ready.load(ordering: .acquiring) < threads { sched_yield() }
    let start = Self.now
    state.go.store(true, ordering: .releasing)
    for thread in running { thread.join() }
    let time = Self.now - start
    print(name, Double(threads * share) / time, "commits/s")
    let failures = state.lost.load(ordering: .relaxed)
    if failures > 0 { print(name + ", writes that lost five races", Double(failures), "") }
  }

  /// What the commits of a stream change.
  private enum Workload: String {
    /// An int, or a new object with one.
    case small
    /// Ints, strings, links and lists, of new objects, changed and deleted ones.
    case ofAllKinds

    var name: String { self == .small ? "small commits" : "commits of all kinds" }
  }

  /// How fast a new machine takes in a stream, and how fast the server sends it to a program that only counts.
  private func measureCatchingUp(_ workload: Workload) throws {
    let name = "long-" + workload.rawValue
    let commits = (workload == .small ? 50 : 10) * count
    let one = try open(name, "one")
    // The stream may be that of an earlier run.
    if one.version == 0 { try write(commits, workload, to: one) }
    print("catching up, " + workload.name, Double(one.version), "")
    var (whole, delivery) = (Double.infinity, Double.infinity)
    for round in 0..<5 {
      let start = Self.now
      let delivered = try stream(name).countMessages()
      let end = Self.now
      delivery = min(delivery, end - start)
      let new = try open(name, "new\(round)-\(getpid())")
      whole = min(whole, Self.now - end)
      guard new.version == one.version, delivered >= one.version - 1 else {
        throw HeraldError.closed
      }
      new.close()
    }
    print("the same, from the server alone", Double(one.version) / delivery, "messages/s")
    print("the same, into a new store, with opening", Double(one.version) / whole, "commits/s")
    one.close()
  }

  private func write(_ commits: Int, _ workload: Workload, to store: DynamicStore) throws {
    guard workload == .ofAllKinds else {
      let note = try Self.declare(store)
      for number in 1..<commits + 1 {
        try store.write {
          if number % 2 == 0 {
            try note.set("number", to: .value(.int(number)))
          } else {
            _ = try store.add("Note", [("number", .value(.int(number)))])
          }
        }
      }
      return
    }
    try store.declare(
      ClassDefinition(
        name: "Page",
        properties: [
          .init(name: "number", element: .int), .init(name: "text", element: .string),
          .init(name: "next", element: .link("Page"), isOptional: true),
          .init(name: "marks", element: .int, shape: .list),
        ]))
    var pages: [ObjectHandle] = []
    for number in 1..<commits + 1 {
      let text = PropertyContent.value(.string("the text of number \(number)"))
      try store.write {
        guard number % 5 != 0, let page = pages.last, pages.count > 1 else {
          pages.append(try store.add("Page", [("number", .value(.int(number))), ("text", text)]))
          return
        }
        switch number % 5 {
        case 1: try page.set("text", to: text)
        case 2: try page.set("next", to: .value(.link(pages[0].id)))
        case 3: try page.collection("marks").append([.int(number)])
        case _: try store.delete(pages.remove(at: pages.count / 2))
        }
      }
    }
  }
}

/// What the threads of a measurement share.
private final class Counters: Sendable {
  let ready = Atomic(0)
  let go = Atomic(false)
  let lost = Atomic(0)
}
