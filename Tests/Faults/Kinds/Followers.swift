import ArgumentParser
import Glibc
import TestSupport

/// Many programs that follow one store while another commits: more than the kernel's limit of watches.
struct Followers: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Many programs follow a store while one commits. In full: 250.")

  @OptionGroup var options: FaultOptions

  private static let commits = 100

  func run() throws {
    let bench = try Bench("followers", options, isSequence: true)
    let path = "\(bench.folder)/followed.hdb"
    let made = try Herald(bench).run(path, ["class Row { id: int primary }"])
    guard made.status == 0 else { throw World.Unusable(words: made.summary) }
    let followers = try (0..<(options.count ?? 140)).map { index in
      try Herald(bench, "follower-\(index)").start([path, "--json", "-c", "follow Row"])
    }
    for (index, follower) in followers.enumerated() where !follower.waitForLines(1) {
      bench.violation(index, "a follower does not begin: \(follower.errors.prefix(300))")
    }
    let script = "\(bench.folder)/commits.herald"
    FileTree.write((1...Self.commits).map { "add Row { id: \($0) }\n" }.joined(), to: script)
    let clock = ContinuousClock()
    let start = clock.now
    let writer = try Herald(bench, "writer").run([path, "-f", script])
    if writer.status != 0 { bench.violation(0, "the writer: \(writer.summary)") }
    for (index, follower) in followers.enumerated() {
      if !waitForLastRow(follower) {
        bench.violation(index, "a follower does not receive the last row")
      }
    }
    print(
      "the last received all \((clock.now - start).components.seconds) s after the first commit")
    for (index, follower) in followers.enumerated() {
      let status = follower.kill()
      let received = rows(follower.output)
      let isComplete = received == Array(1...Self.commits)
      if status != 128 + SIGKILL || !isComplete || !follower.errors.isEmpty {
        bench.violation(
          index, "status \(status), rows \(received), errors: \(follower.errors.prefix(300))")
      }
      bench.count("rows received", received.count)
    }
    try bench.finish()
  }

  private func waitForLastRow(_ follower: RunningHerald) -> Bool {
    for _ in 0..<Int(Herald.patience) {
      if rows(follower.output).last == Self.commits { return true }
      if follower.process.hasEnded(within: 1) { return false }
    }
    return false
  }

  /// Returns the keys of the inserted rows, in the order of their delivery.
  private func rows(_ output: String) -> [Int] {
    output.split(separator: "\n").flatMap { line in
      line.split(separator: "\"key\":").dropFirst().compactMap { Int($0.prefix { $0.isNumber }) }
    }
  }
}
