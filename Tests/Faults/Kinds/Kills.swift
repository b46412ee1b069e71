import ArgumentParser
import Glibc
import Herald
import TestSupport

/// Processes killed at random moments: every acknowledged commit is there, none is partial, and the store
/// is intact.
struct Kills: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "SIGKILL for writers, changes of the schema, imports and checks. In full: 1000.")

  @OptionGroup var options: FaultOptions

  func run() throws {
    let bench = try Bench("kills", options, isSequence: true)
    let trial = try KillTrial(bench)
    for number in options.cases(50) where !bench.isOver {
      var random = bench.random(number)
      try trial.run(number, &random)
      bench.progress(number, every: 100)
    }
    try bench.finish()
  }
}

/// The stores whose writers are killed, each of which is restarted until its workload is complete.
final class KillTrial {
  private let bench: Bench
  private var lines: [Line] = []
  private let pair: [Workload]
  private var pairDone = [0, 0]
  private let upkeep: [String]

  /// One store with consecutive writers.
  private final class Line {
    let name: String
    let workload: Workload
    /// The microseconds after a commit within which it is killed.
    let longest: Int
    var done = 0

    init(_ name: String, _ workload: Workload, longest: Int = 25_000) {
      self.name = name
      self.workload = workload
      self.longest = longest
    }
  }

  init(_ bench: Bench) throws {
    self.bench = bench
    let items = Workload.itemClasses() + Workload.items(260)
    let imports = Workload.imports(8, rows: 400, in: bench.folder)
    lines = [
      Line("writer", try Workload(bench, items)),
      Line("schema", try Workload(bench, Workload.schemaChanges(4))),
      Line("import", try Workload(bench, imports)),
      Line("large-import", try Workload.largeImports(bench, 5, rows: 20_000), longest: 400_000),
    ]
    pair = try ["A", "B"].map { suffix in
      try Workload(
        bench,
        Workload.itemClasses(suffix: suffix) + Workload.items(260, suffix: suffix),
        view: ["print 1"])
    }
    upkeep = try ["check", "compact", "backup"].filter { try Herald.knows($0, bench) }
  }

  func run(_ number: Int, _ random: inout SplitMix64) throws {
    switch random.below(upkeep.isEmpty ? 8 : 10) {
    case 0...3: try kill(number, lines[0], &random)
    case 4: try kill(number, lines[1], &random)
    case 5: try kill(number, lines[2 + random.below(2)], &random)
    case 6, 7: try killPair(number, &random)
    default: try killUpkeep(number, lines[0], &random)
    }
  }

  private func store(_ name: String) -> String { "\(bench.folder)/\(name).hdb" }

  /// Waits for some commits, then for some time, and kills the processes.
  private func kill(
    _ running: [RunningHerald], lines: Int = 14, within longest: Int = 25_000,
    _ random: inout SplitMix64
  ) {
    let lines = random.below(3) == 0 ? 0 : random.below(lines)
    for process in running { _ = process.waitForLines(lines) }
    usleep(UInt32(random.below(longest)))
    for process in running { process.kill() }
  }

  // MARK: One writer

  private func kill(_ number: Int, _ line: Line, _ random: inout SplitMix64) throws {
    if line.done >= line.workload.steps.count - 2 {
      FileTree.removeStore(store(line.name))
      line.done = 0
    }
    let script = "\(bench.folder)/\(line.name).herald"
    FileTree.write(line.workload.script(from: line.done), to: script)
    let path = store(line.name)
    let running = try Herald(bench, line.name).start([path, "-f", script])
    let lines = min(14, line.workload.steps.count - line.done)
    kill([running], lines: lines, within: line.longest, &random)
    bench.count("\(line.name) kills")
    let acknowledged = running.acknowledged().last ?? line.done
    try judge(number, line, acknowledged)
  }

  private func judge(_ number: Int, _ line: Line, _ acknowledged: Int) throws {
    let path = store(line.name)
    guard FileTree.exists(path) else {
      if acknowledged > 0 { bench.violation(number, "\(line.name): the file is missing") }
      return
    }
    let found = try Herald(bench).run(path, line.workload.view)
    let steps =
      found.status == 0
      ? line.workload.steps(in: found.output, from: acknowledged, to: acknowledged + 1) : nil
    guard let steps else {
      let message = "\(line.name): the state is not the one after \(acknowledged) or one more"
      bench.violation(number, "\(message); \(found.summary)", keeping: [path, path + "-lock"])
      FileTree.removeStore(path)
      line.done = 0
      return
    }
    let expected = line.workload.expectations(steps)
    if !expected.isEmpty {
      let outcome = try Herald(bench).run(path, expected)
      if outcome.status != 0 {
        bench.violation(number, "\(line.name): \(outcome.summary)", keeping: [path])
      }
    }
    bench.count("commits kept", steps - line.done)
    line.done = steps
    try check(number, path)
  }

  /// Reports the problems that a check of the whole store finds.
  private func check(_ number: Int, _ path: String) throws {
    do {
      let store = try DynamicStore(path: path)
      defer { store.close() }
      let problems = store.check()
      guard !problems.isEmpty else { return }
      bench.violation(
        number, "check: \(problems.prefix(3).joined(separator: "; "))", keeping: [path])
    } catch {
      bench.violation(number, "check: \(error)", keeping: [path])
    }
  }

  // MARK: Two writers

  private func killPair(_ number: Int, _ random: inout SplitMix64) throws {
    let path = store("pair")
    if pairDone.contains(where: { $0 > 200 }) || pairDone == [0, 0] {
      FileTree.removeStore(path)
      let classes = pair.map { $0.steps[0..<2].joined(separator: "\n") }
      let made = try Herald(bench).run(path, classes)
      guard made.status == 0 else { return bench.violation(number, "pair: \(made.summary)") }
      pairDone = [2, 2]
    }
    let running = try pair.indices.map { index in
      let script = "\(bench.folder)/pair-\(index).herald"
      FileTree.write(pair[index].script(from: pairDone[index]), to: script)
      return try Herald(bench, "pair-\(index)").start([path, "-f", script])
    }
    kill(running, &random)
    bench.count("two writers' kills")
    for (index, suffix) in ["A", "B"].enumerated() {
      let acknowledged = running[index].acknowledged().last ?? pairDone[index]
      guard let steps = try steps(suffix, of: path, from: acknowledged) else {
        bench.violation(
          number, "writer \(suffix) of two: the state is not the one after \(acknowledged)",
          keeping: [path, path + "-lock"])
        pairDone = [0, 0]
        return
      }
      bench.count("commits kept", steps - pairDone[index])
      pairDone[index] = steps
    }
    try check(number, path)
  }

  /// Returns how many steps of one of two writers a store holds, by the objects that only it changes.
  private func steps(_ suffix: String, of path: String, from acknowledged: Int) throws -> Int? {
    try [acknowledged, acknowledged + 1].first {
      try Herald(bench).run(path, Workload.itemExpectations($0 - 2, suffix: suffix)).status == 0
    }
  }

  // MARK: Upkeep

  private func killUpkeep(_ number: Int, _ line: Line, _ random: inout SplitMix64) throws {
    let path = store(line.name)
    guard line.done > 3, FileTree.exists(path) else { return try kill(number, line, &random) }
    let command = upkeep[random.below(upkeep.count)]
    let target = store("backup")
    FileTree.removeStore(target)
    let statement = command == "backup" ? "backup to \"\(target)\"" : command
    let running = try Herald(bench, "upkeep").start([path, "-c", statement])
    usleep(UInt32(random.below(30_000)))
    running.kill()
    bench.count("\(command) kills")
    try judge(number, line, line.done)
    guard command == "backup", FileTree.exists(target) else { return }
    let found = try Herald(bench).run(target, line.workload.view)
    if found.output != line.workload.states[line.done] {
      bench.violation(number, "a partial backup: \(found.summary)", keeping: [target])
    }
  }
}
