import Foundation
import Testing

/// The process that commits without end, on a store of which it tells each commit that returned.
final class TwinProcess {
  private let process = Process()
  private let pipe = Pipe()
  private var heard = Data()

  /// `isAltering`: its commits change the schema.
  init(_ path: String, isAltering: Bool = false) throws {
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
      .deletingLastPathComponent().appendingPathComponent("OtherProcess")
    process.arguments = [path] + (isAltering ? ["schema"] : [])
    process.standardOutput = pipe
    try process.run()
  }

  /// Kills it a little after it has told of so many commits (its first word is told before any), and
  /// answers the last number that it had acknowledged; 0 for none.
  func kill(afterCommits count: Int, spinning turns: Int) -> Int {
    let cameSoFar = waitForCommits(count)
    // Not to wait for anything: this makes the moment a random one.
    for _ in 0..<turns { _ = ProcessInfo.processInfo.systemUptime }
    let (acknowledged, wasAlive) = kill()
    #expect(cameSoFar && wasAlive, "the writer ended by itself")
    return acknowledged
  }

  /// Waits until it has told so many numbers, the first of which is no commit; false when it ended
  /// before.
  func waitForCommits(_ count: Int) -> Bool {
    while heard.count < count * MemoryLayout<Int>.size {
      let more = pipe.fileHandleForReading.availableData
      if more.isEmpty { return false }
      heard.append(more)
    }
    return true
  }

  /// Kills it and answers the last number that it acknowledged, 0 for none, and whether it was alive.
  func kill() -> (acknowledged: Int, wasAlive: Bool) {
    Foundation.kill(process.processIdentifier, SIGKILL)
    // The pipe holds thousands of numbers more than are written until then.
    heard.append((try? pipe.fileHandleForReading.readToEnd()) ?? Data())
    process.waitUntilExit()
    let wasAlive = process.terminationReason == .uncaughtSignal
    let whole = heard.count / MemoryLayout<Int>.size
    guard whole > 0 else { return (0, wasAlive) }
    let last = heard.withUnsafeBytes {
      $0.loadUnaligned(fromByteOffset: (whole - 1) * MemoryLayout<Int>.size, as: Int.self)
    }
    return (last, wasAlive)
  }
}
