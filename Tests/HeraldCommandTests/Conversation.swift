import Glibc

@testable import HeraldCommand

/// The built program between two pipes.
final class Conversation {
  private let home: TemporaryFolder
  let process: pid_t
  private let input: Int32
  private let output: Int32
  /// Lines that `hearLine` has not handed out.
  private var heard = ""

  init(_ arguments: [String] = []) throws {
    home = try TemporaryFolder()
    let (theirInput, ourInput) = try Self.makePipe()
    let (ourOutput, theirOutput) = try Self.makePipe()
    input = ourInput
    output = ourOutput
    var child = ChildProcess(RunningProgram.path, arguments)
    child.environment = ChildProcess.environment(home: home.path)
    child.duplicate(theirInput, as: 0)
    child.duplicate(theirOutput, as: 1)
    try child.open(2, "/dev/null", O_WRONLY)
    process = try child.start()
    close(theirInput)
    close(theirOutput)
  }

  func say(_ text: String) throws { try OutputBytes.write(Array(text.utf8), to: input) }

  /// What has come, once anything has.
  func hear() throws -> String {
    var source = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    guard poll(&source, 1, 30_000) > 0 else { throw SystemFailure(code: ETIMEDOUT) }
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

  func interrupt() { kill(process, SIGINT) }

  /// Ends the input, reads what is left, and waits for the end.
  func leave() -> Int32 {
    close(input)
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while read(output, &bytes, bytes.count) > 0 {}
    close(output)
    return ChildProcess.waitFor(process)
  }

  private static func makePipe() throws -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw SystemFailure(code: errno) }
    for descriptor in ends { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }
}
