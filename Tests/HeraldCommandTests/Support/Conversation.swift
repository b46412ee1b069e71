import Glibc
import TestSupport

@testable import HeraldCommand

/// The built program between two pipes.
final class Conversation {
  private let home: TemporaryFolder
  private let started: StartedProcess
  private let input: Int32
  private let output: Int32
  private var isOpen = true
  /// Lines that `hearLine` has not handed out.
  private var heard = ""

  init(_ arguments: [String] = []) throws {
    home = try TemporaryFolder()
    let toProgram = try Pipe()
    let fromProgram = try Pipe()
    input = toProgram.writing
    output = fromProgram.reading
    defer {
      close(toProgram.reading)
      close(fromProgram.writing)
    }
    var child = ChildProcess(RunningProgram.path, arguments)
    child.environment = ChildProcess.environment(home: home.path)
    child.duplicate(toProgram.reading, as: 0)
    child.duplicate(fromProgram.writing, as: 1)
    try child.open(2, "/dev/null", O_WRONLY)
    started = try child.start()
  }

  deinit {
    if isOpen {
      close(input)
      close(output)
    }
  }

  var process: pid_t { started.number }

  func say(_ text: String) throws { try OutputBytes.write(Array(text.utf8), to: input) }

  /// What has come, once anything has.
  func hear() throws -> String {
    guard isReadable(output, within: 30_000) else { throw SystemFailure(code: ETIMEDOUT) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(output, &bytes, bytes.count)
    return String(decoding: bytes[..<max(0, count)], as: UTF8.self)
  }

  /// Everything that has come, after what had, once a text is in it.
  func hear(until text: String, after earlier: String = "") throws -> String {
    var heard = earlier
    while !heard.contains(text) {
      let more = try hear()
      guard !more.isEmpty else { throw SystemFailure(code: EPIPE) }
      heard += more
    }
    return heard
  }

  /// One line, with what ends it.
  func hearLine() throws -> String {
    heard = try hear(until: "\n", after: heard)
    let end = heard.firstIndex(of: "\n").map { heard.index(after: $0) } ?? heard.endIndex
    defer { heard.removeSubrange(..<end) }
    return String(heard[..<end])
  }

  func interrupt() { started.signal(SIGINT) }

  /// Ends the input, drops the remaining output, and waits for the end.
  func leave() -> Int32 {
    if isOpen {
      close(input)
      isOpen = false
      while let more = try? hear(), !more.isEmpty {}
      close(output)
    }
    return started.end()
  }
}
