import ArgumentParser
import Glibc
import Herald
import TestSupport

/// Simulated power cuts: the writes of a run are replayed up to a random call, with a random part of the
/// unsynced ones.
struct Power: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Power cuts at random calls, creation included. In full: 5000.")

  @OptionGroup var options: FaultOptions

  func run() throws {
    let bench = try Bench("power", options)
    let shim = try Shim(bench)
    let runs = try [
      PowerRun(bench, shim, "values", Workload(bench, Workload.values(60))),
      PowerRun(bench, shim, "items", Workload(bench, Workload.itemClasses() + Workload.items(60))),
      PowerRun(bench, shim, "schema", Workload(bench, Workload.schemaChanges(2))),
      PowerRun(
        bench, shim, "import",
        Workload(bench, Workload.imports(4, rows: 300, in: bench.folder))),
      // So little memory that most pages are in the file before the commit.
      PowerRun(
        bench, shim, "large-import", Workload.largeImports(bench, 3, rows: 4000),
        ["--max-write", "1M"]),
    ]
    for (index, run) in runs.enumerated() {
      let cases = options.cases(150).filter { $0 % runs.count == index }
      try run.cut(cases)
    }
    try bench.finish()
  }
}

/// One recorded workload, and its power cuts.
struct PowerRun {
  private let bench: Bench
  private let shim: Shim
  private let name: String
  private let workload: Workload
  private let options: [String]
  private let calls: [TracedCall]
  private let path: String

  /// Records three consecutive processes, of which the first creates the store.
  init(
    _ bench: Bench, _ shim: Shim, _ name: String, _ workload: Workload, _ options: [String] = []
  ) throws {
    self.bench = bench
    self.shim = shim
    self.name = name
    self.workload = workload
    self.options = options
    path = "\(bench.folder)/\(name).hdb"
    let trace = "\(bench.folder)/\(name).trace"
    let herald = shim.recording(Herald(bench), path, to: trace)
    let count = workload.steps.count
    for (first, last) in [(0, count / 3), (count / 3, 2 * count / 3), (2 * count / 3, count)] {
      let script = "\(bench.folder)/\(name).herald"
      FileTree.write(workload.script(from: first, to: last), to: script)
      let outcome = try herald.run([path] + options + ["-f", script])
      guard outcome.status == 0 else { throw World.Unusable(words: outcome.summary) }
    }
    calls = TracedCall.all(in: FileTree.read(trace))
    bench.count("calls of \(name)", calls.count)
    bench.count("commits of \(name) in the journal", calls.count { $0.isOfJournal })
  }

  /// Cuts the power in each of the cases.
  func cut(_ cases: [Int]) throws {
    // Sorted by call, so that the trace is replayed once.
    var points = cases.map { (number: $0, random: bench.random($0), call: 0) }
    for index in points.indices {
      // Every fourth is among the first calls, which create the store.
      let limit = points[index].number % 4 == 0 ? min(40, calls.count) : calls.count
      points[index].call = points[index].random.below(limit + 1)
    }
    points.sort { $0.call < $1.call }
    var disk = Disk()
    var taken = 0
    var acknowledged = 0
    for (index, point) in points.enumerated() where !bench.isOver {
      while taken < point.call {
        disk.take(calls[taken])
        if case .output(let text) = calls[taken] {
          acknowledged = Self.last(in: text) ?? acknowledged
        }
        taken += 1
      }
      var random = point.random
      try judge(point.number, point.call, disk, acknowledged, &random)
      bench.progress(index)
    }
  }

  private static func last(in output: String) -> Int? {
    output.split(separator: "\n").last { $0.hasPrefix("done ") }.flatMap { Int($0.dropFirst(5)) }
  }

  private func judge(
    _ number: Int, _ call: Int, _ disk: Disk, _ acknowledged: Int, _ random: inout SplitMix64
  ) throws {
    bench.count("power cuts")
    let forgetsNames = random.below(4) == 0
    guard let content = disk.content(of: path, forgetsNames: forgetsNames, &random) else {
      bench.count("without a file")
      if acknowledged > 0 {
        bench.violation(
          number, "\(name), call \(call): the file's name is lost, with \(acknowledged) commits")
      }
      return
    }
    try judge(number, call, content, acknowledged...acknowledged + 1, &random)
  }

  /// Judges a file: its state must be that after one of the numbers of steps. Then cuts the power again, during what
  /// is done first with the file.
  private func judge(
    _ number: Int, _ call: Int, _ content: [UInt8], _ allowed: ClosedRange<Int>,
    _ random: inout SplitMix64, cuts: Int = 1
  ) throws {
    let acknowledged = allowed.lowerBound
    FileTree.removeStore(path)
    FileTree.write(content, to: path)
    layLock(&random)
    let probe = ["class Probe { n: int }", "add Probe { n: 1 }", "count Probe"]
    let found = try Herald(bench).run(path, workload.view + probe)
    if found.isRefused && acknowledged == 0 {
      bench.count("refused before the first commit")
      return
    }
    let state = found.output.hasSuffix("1\n") ? String(found.output.dropLast(2)) : "none"
    let steps = workload.steps(in: state, from: acknowledged, to: allowed.upperBound)
    guard found.status == 0, let steps,
      try Herald(bench).run(path, workload.expectations(steps) + ["print 1"]).status == 0
    else {
      // The run has changed the file: keep the content from before it.
      FileTree.write(content, to: path)
      let expected = "the state after \(acknowledged) to \(allowed.upperBound) commits"
      return bench.violation(
        number, "\(name), call \(call), cut \(cuts): not \(expected); \(found.summary)",
        keeping: [path])
    }
    try check(number, call)
    if cuts < 3, random.below(2) == 0 {
      try cutAgain(number, call, content, acknowledged...max(acknowledged, steps), &random, cuts)
    }
  }

  /// Continues the workload on a file, which has a state after one of the numbers of steps, and cuts the power at a
  /// random call, at the earliest during the opening.
  private func cutAgain(
    _ number: Int, _ call: Int, _ content: [UInt8], _ found: ClosedRange<Int>,
    _ random: inout SplitMix64, _ cuts: Int
  ) throws {
    FileTree.removeStore(path)
    FileTree.write(content, to: path)
    let inode = FileTree.status(path).st_ino
    let (trace, script) = ("\(bench.folder)/again.trace", "\(bench.folder)/again.herald")
    FileTree.remove(trace)
    // The first opening shows the greater number of steps, as it did before, and later ones too.
    let last = min(found.upperBound + 3, workload.steps.count)
    FileTree.write(
      "print \"done\", \(found.upperBound)\n"
        + workload.script(from: found.upperBound, to: last), to: script)
    let outcome = try shim.recording(Herald(bench), path, to: trace)
      .run([path] + options + ["-f", script])
    guard outcome.status == 0 else {
      return bench.violation(
        number, "\(name), call \(call), cut \(cuts): \(outcome.summary)", keeping: [path])
    }
    let calls = TracedCall.all(in: FileTree.read(trace))
    var disk = Disk(content, inode: UInt64(inode), path: path)
    var acknowledged = found.lowerBound
    // Often within the opening.
    let limit = random.below(2) == 0 ? min(12, calls.count) : calls.count
    for call in calls.prefix(random.below(limit + 1)) {
      disk.take(call)
      if case .output(let text) = call { acknowledged = Self.last(in: text) ?? acknowledged }
    }
    bench.count("further cuts")
    guard let next = disk.content(of: path, forgetsNames: false, &random) else {
      return bench.violation(number, "\(name), call \(call), cut \(cuts): the file is gone")
    }
    let upper = max(acknowledged, found.upperBound) + 1
    try judge(number, call, next, acknowledged...upper, &random, cuts: cuts + 1)
  }

  /// Writes a lock file with any content, as a power cut may leave it.
  private func layLock(_ random: inout SplitMix64) {
    let size = 262_272
    switch random.below(4) {
    case 0: break
    case 1: FileTree.write([UInt8](), to: path + "-lock")
    case 2: FileTree.write([UInt8](repeating: 0, count: size), to: path + "-lock")
    default:
      let garbage = (0..<size).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      FileTree.write(garbage, to: path + "-lock")
    }
  }

  private func check(_ number: Int, _ call: Int) throws {
    do {
      let store = try DynamicStore(path: path)
      defer { store.close() }
      guard let problem = store.check().first else { return }
      bench.violation(number, "\(name), call \(call): check: \(problem)", keeping: [path])
    } catch {
      bench.violation(number, "\(name), call \(call): check: \(error)", keeping: [path])
    }
  }
}
