import ArgumentParser
import Glibc
import TestSupport

/// Two writers and three followers for some time, one killed every second, or for a number of commits without
/// kills. Memory and file must not grow.
struct Soak: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Writers and followers for some seconds. In full: 3600, and --commits 1000000.")

  @OptionGroup var options: FaultOptions

  @Option(help: "Kills no program, and ends after this number of commits.")
  var commits: Int?

  func run() throws {
    let bench = try Bench("soak", options, isSequence: true)
    let run = try SoakRun(bench, kills: commits == nil)
    let seconds = options.count ?? 5
    let end = commits.map { SoakRun.End.commits($0) } ?? .seconds(seconds)
    try run.run(until: end)
    try bench.finish()
  }
}

/// The five programs, and their use of memory and disk.
final class SoakRun {
  enum End {
    case seconds(Int)
    case commits(Int)
  }

  private let bench: Bench
  private let path: String
  private let kills: Bool
  private var random: SplitMix64
  private var writers: [RunningHerald?] = [nil, nil]
  private var followers: [RunningHerald?] = [nil, nil, nil]
  /// The number of each writer's last commit before its last start.
  private var done = [0, 0]
  private var samples: [Sample] = []
  private static let batch = 50_000
  private static let rows = 200

  /// The use of memory and disk at one moment.
  private struct Sample {
    let commits: Int
    let fileSize: Int
    /// The memory of the largest writer, in KiB.
    let writer: Int
    /// The memory of the largest follower, in KiB.
    let follower: Int
  }

  init(_ bench: Bench, kills: Bool) throws {
    self.bench = bench
    self.kills = kills
    path = "\(bench.folder)/soak.hdb"
    random = bench.random(0)
    let rows = (0..<Self.rows).map { "{ id: \($0), n: 0, text: \"a\" }" }.joined(separator: ", ")
    let made = try Herald(bench).run(
      path,
      [
        "class Row { id: int primary; n: int indexed; text: string }",
        "class Mark { id: int primary; n: int }", "add Row [ \(rows) ]",
        "add Mark [ { id: 0, n: 0 }, { id: 1, n: 0 } ]",
      ])
    guard made.status == 0 else { throw World.Unusable(words: made.summary) }
  }

  func run(until end: End) throws {
    let start = ContinuousClock.now
    var clock = 0
    var next = 1
    while !isAtEnd(end, clock) && !bench.isOver {
      for index in writers.indices { try keepWriting(index) }
      for index in followers.indices { try keepFollowing(index) }
      sleep(1)
      clock = Int((ContinuousClock.now - start).components.seconds)
      if kills { try killOne(clock) }
      if clock >= next {
        report(clock)
        // About a hundred lines, however long it takes.
        next = clock + max(1, clock / 20)
      }
    }
    for index in writers.indices { try stop(index) }
    for follower in followers { _ = follower?.kill() }
    try judge()
  }

  private var commits: Int { done[0] + done[1] }

  private func isAtEnd(_ end: End, _ clock: Int) -> Bool {
    switch end {
    case .seconds(let limit): clock >= limit
    case .commits(let limit): writers.indices.map(current).reduce(0, +) >= limit
    }
  }

  /// Returns the number of the last commit that a writer has acknowledged.
  private func current(_ index: Int) -> Int {
    guard let writer = writers[index] else { return done[index] }
    return writer.lastAcknowledged ?? done[index]
  }

  // MARK: Programs

  private func keepWriting(_ index: Int) throws {
    if let writer = writers[index] {
      guard writer.process.hasEnded(within: 0) else { return }
      let errors = writer.errors
      if !errors.isEmpty { bench.violation(index, "a writer ended: \(errors.prefix(300))") }
      try stop(index)
    }
    let script = "\(path)-\(index).herald"
    let numbers = (done[index] + 1)...(done[index] + Self.batch)
    FileTree.write(numbers.map { statement($0, index) }.joined(), to: script)
    writers[index] = try Herald(bench, "soak-\(index)").start([path, "-f", script])
  }

  /// Returns a statement that changes one row of the writer's half and the writer's mark.
  private func statement(_ number: Int, _ index: Int) -> String {
    let row = number * 7 % (Self.rows / 2) + index * Self.rows / 2
    let text = String(repeating: "t", count: number % 50)
    return "write { set Row#\(row) { n: \(number), text: \"\(text)\" }; "
      + "set Mark#\(index).n = \(number) }\nprint \"done\", \(number)\n"
  }

  private func keepFollowing(_ index: Int) throws {
    if let follower = followers[index] {
      // Discard the output, which would fill the disk.
      truncate(follower.scratch + ".out", 0)
      guard follower.process.hasEnded(within: 0) else { return }
      bench.violation(index, "a follower ended: \(follower.errors.prefix(300))")
    }
    let queries = ["Row sort(n)", "Row where n > 100 sort(text)", "Mark"]
    followers[index] = try Herald(bench, "follow-\(index)").start(
      [path, "-c", "follow \(queries[index])"])
  }

  private func killOne(_ clock: Int) throws {
    let index = random.below(5)
    guard index < 2 else {
      followers[index - 2]?.kill()
      followers[index - 2] = nil
      return bench.count("followers killed")
    }
    bench.count("writers killed")
    try stop(index)
  }

  /// Kills a writer, and checks that its acknowledged commits are there.
  private func stop(_ index: Int) throws {
    guard let writer = writers[index] else { return }
    writer.kill()
    writers[index] = nil
    let acknowledged = writer.lastAcknowledged ?? done[index]
    let found = try Herald(bench, "look").run(path, ["print Mark#\(index).n"])
    guard found.status == 0, let number = Int(found.output.dropLast()) else {
      return bench.violation(index, "after a kill: \(found.summary)", keeping: [path])
    }
    if number < acknowledged || number > acknowledged + 1 {
      bench.violation(
        index, "writer \(index) acknowledged \(acknowledged), \(number) is there", keeping: [path])
    }
    done[index] = number
  }

  // MARK: Figures

  private func report(_ clock: Int) {
    let sample = Sample(
      commits: writers.indices.map(current).reduce(0, +), fileSize: FileTree.size(path),
      writer: writers.compactMap { $0?.memory }.max() ?? 0,
      follower: followers.compactMap { $0?.memory }.max() ?? 0)
    samples.append(sample)
    print(
      "\(clock) s: \(sample.commits) commits, file \(sample.fileSize / 1024) KiB, "
        + "writer \(sample.writer) KiB, follower \(sample.follower) KiB")
    fflush(nil)
  }

  /// Compares the use at the end with that after a third of the time.
  private func judge() throws {
    bench.count("commits", commits)
    guard samples.count >= 9, let last = samples.last else { return }
    let early = samples[samples.count / 3]
    let pairs = [
      ("the file", early.fileSize / 1024, last.fileSize / 1024),
      ("a writer", early.writer, last.writer), ("a follower", early.follower, last.follower),
    ]
    for (name, before, after) in pairs where after > before * 3 / 2 + 8192 {
      bench.violation(0, "\(name) grew from \(before) to \(after) KiB")
    }
  }
}

extension RunningHerald {
  /// The private memory of the process in KiB, without pages of the store's file.
  fileprivate var memory: Int? {
    let descriptor = open("/proc/\(process.number)/status", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 8192)
    let count = read(descriptor, &bytes, bytes.count)
    let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    let line = text.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
    return line?.split(separator: " ").compactMap { Int($0) }.first
  }

  /// The last number that it has acknowledged, read from the end of its output.
  fileprivate var lastAcknowledged: Int? {
    let path = scratch + ".out"
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = pread(descriptor, &bytes, bytes.count, off_t(max(0, FileTree.size(path) - 256)))
    let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    return lines.last { $0.hasPrefix("done ") }.flatMap { Int($0.dropFirst(5)) }
  }
}
