import Glibc
import Herald
import HeraldReplication

/// Measures replication, for `Documentation/Scaling.md`: `OtherProcess FOLDER measure ADDRESS COUNT`.
///
/// Prints one line a figure. The machines are stores of this process with files of their own in the folder.
struct ReplicaMeasurement {
  let folder: String
  let address: String
  let count: Int

  func run() throws {
    try measureLocal()
    try measureOneWriter()
    try measureCatchingUp()
  }

  private func print(_ name: String, _ value: Double, _ unit: String) {
    let rounded = (value * 10).rounded() / 10
    let line = Array("\(name): \(rounded) \(unit)\n".utf8)
    _ = write(STDOUT_FILENO, line, line.count)
  }

  private static var now: Double {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
  }

  private func declare(_ store: DynamicStore) throws -> DynamicObject {
    try store.declare(
      ClassDefinition(name: "Note", properties: [.init(name: "number", element: .int)]))
    return try store.write { try store.add("Note", [("number", .value(.int(0)))]) }
  }

  /// The time of a commit of a file that follows no stream.
  private func measureLocal() throws {
    let store = try DynamicStore(path: folder + "/local.hdb")
    let note = try declare(store)
    let start = Self.now
    for number in 1..<count + 1 {
      try store.write { try note.set("number", to: .value(.int(number))) }
    }
    print("commit of a file alone", (Self.now - start) / Double(count) * 1e6, "µs")
    store.close()
  }

  /// The commits of one writer, and when it arrives on another machine.
  private func measureOneWriter() throws {
    let stream = try NATSStream(address: address)
    let one = try DynamicStore(replicated: stream, cache: folder + "/one.hdb")
    let two = try DynamicStore(replicated: stream, cache: folder + "/two.hdb")
    let note = try declare(one)
    while two.version < one.version { _ = try two.refresh() }
    guard let other = try two.objects("Note").objects.first else { return }
    var times: [Double] = []
    var writing = 0.0
    for number in 1..<count + 1 {
      let start = Self.now
      try one.write { try note.set("number", to: .value(.int(number))) }
      writing += Self.now - start
      while try other.value("number") != .int(number) { _ = try two.refresh() }
      times.append(Self.now - start)
    }
    times.sort()
    print("replicated commit", writing / Double(count) * 1e6, "µs")
    print("one writer", Double(count) / writing, "commits/s")
    print("to the observer on another machine, p50", times[count / 2] * 1e6, "µs")
    print("to the observer on another machine, p99", times[count * 99 / 100] * 1e6, "µs")
    one.close()
    two.close()
  }

  private func measureCatchingUp() throws {
    let stream = try NATSStream(address: address)
    let one = try DynamicStore(replicated: stream, cache: folder + "/one.hdb")
    let start = Self.now
    let new = try DynamicStore(replicated: stream, cache: folder + "/new.hdb")
    let time = Self.now - start
    print("catching up, commits", Double(new.version), "")
    print("catching up", Double(new.version) / time, "commits/s")
    guard new.version == one.version else { throw HeraldError.closed }
  }
}
