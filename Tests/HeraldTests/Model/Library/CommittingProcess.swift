import Foundation
import Testing

/// The process that commits without end, on a store, and acknowledges each commit that returned.
final class CommittingProcess {
  private let process = Process()
  private let pipe = Pipe()
  private var received = Data()

  /// `isAltering`: its commits change the schema.
  init(_ path: String, isAltering: Bool = false) throws {
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
      .deletingLastPathComponent().appendingPathComponent("OtherProcess")
    process.arguments = [path] + (isAltering ? ["schema"] : [])
    process.standardOutput = pipe
    try process.run()
  }

  /// Kills it a little after it has acknowledged so many commits (its first line precedes any), and
  /// returns the last number that it had acknowledged; 0 for none.
  func kill(afterCommits count: Int, spinning turns: Int) -> Int {
    let cameSoFar = waitForCommits(count)
    // Not to wait for anything: this makes the moment a random one.
    for _ in 0..<turns { _ = ProcessInfo.processInfo.systemUptime }
    let (acknowledged, wasAlive) = kill()
    #expect(cameSoFar && wasAlive, "the writer ended by itself")
    return acknowledged
  }

  /// Waits until it has printed so many numbers, the first of which is no commit; false when it
  /// ended before.
  func waitForCommits(_ count: Int) -> Bool {
    while received.count < count * MemoryLayout<Int>.size {
      let more = pipe.fileHandleForReading.availableData
      if more.isEmpty { return false }
      received.append(more)
    }
    return true
  }

  /// Reads what it has printed, and waits until that is something: it stands still while some 8,000 numbers are unread.
  func readNumbers() { received.append(pipe.fileHandleForReading.availableData) }

  /// Kills it and returns the last number that it acknowledged, 0 for none, and whether it was
  /// alive.
  func kill() -> (acknowledged: Int, wasAlive: Bool) {
    Foundation.kill(process.processIdentifier, SIGKILL)
    // The pipe holds thousands of numbers more than are written until then.
    received.append((try? pipe.fileHandleForReading.readToEnd()) ?? Data())
    process.waitUntilExit()
    let wasAlive = process.terminationReason == .uncaughtSignal
    let whole = received.count / MemoryLayout<Int>.size
    guard whole > 0 else { return (0, wasAlive) }
    let last = received.withUnsafeBytes {
      $0.loadUnaligned(fromByteOffset: (whole - 1) * MemoryLayout<Int>.size, as: Int.self)
    }
    return (last, wasAlive)
  }
}
