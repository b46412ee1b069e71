import ArgumentParser
import Glibc
import Herald
import TestSupport

/// Sessions of one process that commit at once, so that several commits share a sync: power cuts, failing calls and
/// kills.
struct Sessions: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Power cuts, failing calls and kills while 6 sessions commit at once. In full: 3000.")

  @OptionGroup var options: FaultOptions

  func run() throws {
    let bench = try Bench("sessions", options)
    let trial = try SessionsTrial(bench)
    let cases = options.cases(60)
    try trial.cut(cases.filter { $0 % 3 != 0 })
    for number in cases where number % 3 == 0 && !bench.isOver { try trial.fail(number) }
    try bench.finish()
  }
}

/// What the lines of the worker acknowledge.
private struct Acknowledged {
  /// Whether the counters were made.
  var hasBegun = false
  var steps = [Int](repeating: 0, count: SessionsWorker.sessions + 1)
  var failures = 0

  mutating func take(_ output: String) {
    for line in output.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 3, let number = Int(words[1]), let step = Int(words[2]) else { continue }
      switch words[0] {
      case "begun": hasBegun = true
      case "done": steps[number] = step
      default: failures += 1
      }
    }
  }
}

private struct SessionsTrial {
  private let bench: Bench
  private let shim: Shim
  private let path: String
  private let output: String

  init(_ bench: Bench) throws {
    self.bench = bench
    shim = try Shim(bench)
    path = "\(bench.folder)/sessions.hdb"
    output = "\(bench.folder)/sessions.out"
  }

  private func start(_ environment: [String: String]) throws -> StartedProcess {
    FileTree.removeStore(path)
    var child = ChildProcess("/proc/self/exe", ["sessions-worker", path])
    child.environment = ChildProcess.environment(home: "/nonexistent")
      .merging(["SWIFT_BACKTRACE": "enable=no"].merging(environment) { $1 }) { $1 }
    try child.open(0, "/dev/null", O_RDONLY)
    try child.open(1, output, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND)
    return try child.start()
  }

  /// Cuts the power during a recorded run, once for each number; a new run is recorded now and then.
  func cut(_ numbers: [Int]) throws {
    for first in stride(from: 0, to: numbers.count, by: 50) where !bench.isOver {
      try record(Array(numbers[first..<min(first + 50, numbers.count)]))
    }
  }

  private func record(_ numbers: [Int]) throws {
    let trace = "\(bench.folder)/sessions.trace"
    FileTree.remove(trace)
    let process = try start(shim.recording([:], path, to: trace))
    let isHung = !process.hasEnded(within: 6 * Herald.patience)
    let status = process.end(within: 0)
    guard !isHung, status == 0 else { throw World.Unusable(words: "status \(status)") }
    let calls = TracedCall.all(in: FileTree.read(trace))
    let syncs = calls.count { if case .sync = $0 { true } else { false } }
    bench.count("syncs", syncs)
    bench.count("commits", SessionsWorker.sessions * SessionsWorker.steps)
    var points = numbers.map { (number: $0, random: bench.random($0), call: 0) }
    for index in points.indices { points[index].call = points[index].random.below(calls.count + 1) }
    points.sort { $0.call < $1.call }
    var disk = Disk()
    var taken = 0
    var acknowledged = Acknowledged()
    for point in points where !bench.isOver {
      while taken < point.call {
        disk.take(calls[taken])
        if case .output(let text) = calls[taken] { acknowledged.take(text) }
        taken += 1
      }
      bench.count("power cuts")
      var random = point.random
      guard let content = disk.content(of: path, forgetsNames: false, &random) else {
        if acknowledged.hasBegun { bench.violation(point.number, "the file is gone") }
        continue
      }
      FileTree.removeStore(path)
      FileTree.write(content, to: path)
      judge(point.number, "power cut at call \(point.call)", acknowledged)
    }
  }

  /// Makes one call fail, or all from one on, or kills the process.
  func fail(_ number: Int) throws {
    var random = bench.random(number)
    let what: String
    var acknowledged = Acknowledged()
    if number % 2 == 0 {
      let process = try start([:])
      usleep(UInt32(30_000 + random.below(150_000)))
      process.signal(SIGKILL)
      _ = process.end()
      bench.count("kills")
      what = "killed"
    } else {
      let call = 20 + random.below(400)
      let code = [EIO, ENOSPC, 0][random.below(3)]
      let isLasting = random.below(3) == 0
      what = "error \(code) at call \(call)\(isLasting ? " and all after it" : "")"
      let process = try start(
        shim.failing([:], path, call: call, code, always: isLasting, counted: "/dev/null"))
      let isHung = !process.hasEnded(within: 3 * Herald.patience)
      let status = process.end(within: 0)
      bench.count("faults")
      if isHung || status >= 128 {
        return bench.violation(
          number, "\(what): \(isHung ? "it hung" : "ended by status \(status)")", keeping: [path])
      }
    }
    acknowledged.take(FileTree.text(output))
    bench.count("commits that failed", acknowledged.failures)
    judge(number, what, acknowledged)
  }

  /// Checks that every acknowledged commit is there, and of each session at most one more; and that all are whole.
  private func judge(_ number: Int, _ what: String, _ acknowledged: Acknowledged) {
    guard acknowledged.hasBegun else { return bench.count("before the first commit") }
    func violate(_ message: String) {
      bench.violation(number, "\(what): \(message)", keeping: [path])
    }
    do {
      let store = try DynamicStore(path: path)
      defer { store.close() }
      func count(_ id: Int) throws -> Int {
        guard let counter = try store.object("Counter", key: .int(id)),
          case .int(let count) = try counter.value("n")
        else { return -1 }
        return count
      }
      var sum = 0
      for session in 1...SessionsWorker.sessions {
        let (known, found) = (acknowledged.steps[session], try count(session))
        if found != known, found != known + 1 {
          violate("session \(session) has \(found), acknowledged were \(known)")
        }
        sum += found
      }
      if try count(0) != sum { violate("the shared counter is \(try count(0)), not \(sum)") }
      if store.version < sum { violate("version \(store.version) after \(sum) commits") }
      if let problem = store.check().first { violate("check: \(problem)") }
    } catch {
      violate("\(error)")
    }
  }
}
