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
  private var isInputOpen = true
  /// Output that `readLine` has not returned yet.
  private var unread = ""

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
    endInput()
    if isOpen { close(output) }
  }

  var process: pid_t { started.number }

  func send(_ text: String) throws { try OutputBytes.write(Array(text.utf8), to: input) }

  /// Returns the next output, once there is some.
  func read() throws -> String {
    guard isReadable(output, within: 30_000) else { throw SystemFailure(code: ETIMEDOUT) }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = Glibc.read(output, &bytes, bytes.count)
    return String(decoding: bytes[..<max(0, count)], as: UTF8.self)
  }

  /// Returns all further output, once there is no more.
  private func readToEnd() -> String {
    var output = ""
    while let more = try? read(), !more.isEmpty { output += more }
    return output
  }

  /// Returns the earlier output and all that follows, once a text is in it.
  func read(until text: String, after earlier: String = "") throws -> String {
    var found = earlier
    var searched = Substring(earlier)
    while !searched.contains(text) {
      let more = try read()
      guard !more.isEmpty else { throw SystemFailure(code: EPIPE) }
      found += more
      searched = found.suffix(more.count + text.count)
    }
    return found
  }

  /// Returns one line, with its newline.
  func readLine() throws -> String {
    unread = try read(until: "\n", after: unread)
    let end = unread.firstIndex(of: "\n").map { unread.index(after: $0) } ?? unread.endIndex
    defer { unread.removeSubrange(..<end) }
    return String(unread[..<end])
  }

  func interrupt() { started.signal(SIGINT) }
  func suspend() { started.pause() }
  func resume() { started.signal(SIGCONT) }

  /// Kills the program, waits for the end, and returns the lines that it had written and nobody had read.
  @discardableResult func kill() -> [String] {
    started.signal(SIGKILL)
    unread += readToEnd()
    _ = leave()
    let lines = unread.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.dropLast().map(String.init)
  }

  /// Ends the input.
  func endInput() {
    if isInputOpen { close(input) }
    isInputOpen = false
  }

  /// Waits for the end, which comes although the input goes on.
  func exitStatus() -> Int32 { started.end() }

  /// Ends the input, drops the remaining output, and waits for the end.
  func leave() -> Int32 {
    endInput()
    if isOpen {
      isOpen = false
      _ = readToEnd()
      close(output)
    }
    return started.end()
  }
}
