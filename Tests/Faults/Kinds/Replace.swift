import ArgumentParser
import Glibc
import TestSupport

/// Four programs that create, back up, restore, delete and replace one store and its lock while two of them
/// commit: each acknowledged entry is in the store at that moment, or there is an error.
struct Replace: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Stores and locks that are replaced while programs have them open. In full: 2000.")

  @OptionGroup var options: FaultOptions

  func run() throws {
    let bench = try Bench("replace", options, isSequence: true)
    signal(SIGPIPE, SIG_IGN)
    let trial = try ReplaceTrial(bench)
    for number in options.cases(40) where !bench.isOver {
      var random = bench.random(number)
      try trial.step(number, &random)
      bench.progress(number, every: 200)
    }
    trial.stop()
    try bench.finish()
  }
}

/// A program that receives statements one by one, and keeps the store open between them.
private final class SteppedHerald {
  private let running: RunningHerald
  private let input: Int32

  init(_ bench: Bench, _ name: String, _ store: String) throws {
    let pipe = try Pipe()
    running = try Herald(bench, name).start([store, "--keep-going"], input: pipe.reading)
    close(pipe.reading)
    input = pipe.writing
  }

  deinit {
    close(input)
    running.kill()
  }

  enum Answer { case acknowledged, refused, ended, silent }

  /// The end of its output and of its errors.
  var lastOutput: String { "\(running.output.suffix(200)) \(running.errors.suffix(500))" }

  func send(_ text: String) {
    let bytes = Array((text + "\n").utf8)
    _ = write(input, bytes, bytes.count)
  }

  /// Waits until it has acknowledged an entry, or refused it.
  func answer(_ entry: Int) -> Answer {
    for _ in 0..<20_000 {
      if running.acknowledged().contains(entry) { return .acknowledged }
      if running.acknowledged("refused").contains(entry) {
        // Both lines may have come since it was asked for the first.
        return running.acknowledged().contains(entry) ? .acknowledged : .refused
      }
      // Without its store even this statement fails, and the error quotes it.
      if running.errors.contains("\nprint \"refused\", \(entry)\n") { return .refused }
      if running.process.hasEnded(within: 1) { return .ended }
    }
    return .silent
  }
}

/// The store, its expected entries, and the programs that have it open.
final class ReplaceTrial {
  private let bench: Bench
  private let path: String
  private let saved: String
  private var writers: [SteppedHerald?] = [nil, nil]
  private var entries = 0
  /// The entries of the file at the path; nil if there is none.
  private var expected: Set<Int>?
  private var savedEntries: Set<Int>?
  private static let classes = "class Entry { id: int primary }"

  init(_ bench: Bench) throws {
    self.bench = bench
    path = "\(bench.folder)/shared.hdb"
    saved = "\(bench.folder)/saved.hdb"
  }

  func stop() { writers = [nil, nil] }

  func step(_ number: Int, _ random: inout SplitMix64) throws {
    switch random.below(14) {
    case 0: delete([path], "deletions of the store")
    case 1: delete([path, path + "-lock"], "deletions of both")
    case 2: delete([path + "-lock"], "deletions of the lock")
    case 3: save()
    case 4: restore()
    case 5: try replaceByNew()
    case 6: try create(number)
    case 7: try commitInTwo(number, &random)
    default: try commit(number, random.below(2))
    }
  }

  // MARK: Commits

  private func writer(_ index: Int) throws -> SteppedHerald {
    if let writer = writers[index] { return writer }
    let writer = try SteppedHerald(bench, "writer-\(index)", path)
    writer.send(Self.classes)
    writers[index] = writer
    return writer
  }

  /// Sends statements that add an entry and print whether it was committed.
  private func send(_ entry: Int, to writer: SteppedHerald) {
    writer.send("add Entry { id: \(entry) }")
    writer.send("print \"done\", Entry#\(entry).id")
    writer.send("print \"refused\", \(entry)")
  }

  private func commit(_ number: Int, _ index: Int) throws {
    entries += 1
    let isNew = writers[index] == nil
    let writer = try writer(index)
    send(entries, to: writer)
    try take(number, index, entries, writer.answer(entries), isNew: isNew)
  }

  /// Commits in both at once, in any order.
  private func commitInTwo(_ number: Int, _ random: inout SplitMix64) throws {
    let isNew = writers.map { $0 == nil }
    let both = try [writer(0), writer(1)]
    let first = entries + 1
    entries += 2
    for (index, writer) in both.enumerated() { send(first + index, to: writer) }
    let answers = both.enumerated().map { $1.answer(first + $0) }
    // Checked when both are done, because each sees the other's commit.
    for (index, answer) in answers.enumerated() where answer == .acknowledged {
      expected = (expected ?? []).union([first + index])
    }
    for (index, answer) in answers.enumerated() {
      try take(number, index, first + index, answer, isNew: isNew[index])
    }
  }

  private func take(
    _ number: Int, _ index: Int, _ entry: Int, _ answer: SteppedHerald.Answer, isNew: Bool
  ) throws {
    switch answer {
    case .acknowledged:
      bench.count("acknowledged")
      expected = (expected ?? []).union([entry])
      try judge(number, "entry \(entry) was acknowledged by writer \(index)")
    case .refused, .ended:
      bench.count("refused")
      let output = writers[index]?.lastOutput ?? ""
      writers[index] = nil
      // A program that has the lock file open with the previous store keeps a new one out.
      let isKeptOut = output.contains("end that program first")
      if isNew && !isKeptOut {
        bench.violation(number, "a program that was just started cannot write: \(output)")
        FileTree.removeStore(path)
        expected = nil
      }
    case .silent:
      let output = writers[index]?.lastOutput ?? ""
      writers[index] = nil
      bench.violation(number, "writer \(index) hung at entry \(entry): \(output)")
    }
  }

  /// Checks that a program started now finds the expected entries.
  private func judge(_ number: Int, _ event: String) throws {
    guard let expected else { return }
    let found = try Herald(bench, "reader").run([path, "--read-only", "-c", "show Entry"])
    let entries = Set(found.output.split(whereSeparator: { !$0.isNumber }).compactMap { Int($0) })
    let missing = expected.subtracting(entries).sorted()
    guard found.status != 0 || !missing.isEmpty else { return }
    bench.violation(
      number, "\(event), and the store lacks \(missing.prefix(5)): \(found.summary)")
    // Continue from the entries that exist, with new writers.
    writers = [nil, nil]
    self.expected = found.status == 0 ? entries : nil
    if found.status != 0 { FileTree.removeStore(path) }
  }

  // MARK: Replacements

  private func delete(_ paths: [String], _ name: String) {
    bench.count(name)
    for path in paths { unlink(path) }
    if paths.contains(path) { expected = nil }
  }

  /// Copies the store while nobody commits.
  private func save() {
    guard let expected else { return }
    bench.count("backups")
    FileTree.copy(path, to: saved)
    savedEntries = expected
  }

  private func restore() {
    guard let savedEntries else { return }
    bench.count("restores")
    FileTree.copy(saved, to: saved + "-moving")
    rename(saved + "-moving", path)
    expected = savedEntries
  }

  private func replaceByNew() throws {
    bench.count("replacements")
    let other = "\(bench.folder)/other.hdb"
    FileTree.removeStore(other)
    entries += 1
    let made = try Herald(bench, "maker").run(
      other, [Self.classes, "add Entry { id: \(entries) }"])
    guard made.status == 0 else { throw World.Unusable(words: made.summary) }
    unlink(other + "-lock")
    rename(other, path)
    expected = [entries]
  }

  private func create(_ number: Int) throws {
    bench.count("short programs")
    entries += 1
    let made = try Herald(bench, "maker").run(
      path, [Self.classes, "add Entry { id: \(entries) }"])
    guard made.status == 0 else { return bench.count("short programs refused") }
    expected = (expected ?? []).union([entries])
    try judge(number, "entry \(entries) was acknowledged by a short program")
  }
}
