import Glibc
import TestSupport

/// The built program at a terminal of its own, with a home of its own.
final class RunningProgram {
  let terminal: PseudoTerminal
  let home: TemporaryFolder
  private let started: StartedProcess

  init(
    _ arguments: [String] = [], home: TemporaryFolder? = nil, environment: [String: String] = [:],
    rows: Int = 24, columns: Int = 80, program: String = RunningProgram.path
  ) throws {
    terminal = try PseudoTerminal(rows: rows, columns: columns)
    self.home = try home ?? TemporaryFolder()
    var child = ChildProcess(program, arguments)
    child.environment = ChildProcess.environment(home: self.home.path)
      .merging(environment) { $1 }.filter { $0.value != "" }
    child.leadsSession = true
    try child.open(0, terminal.name, O_RDWR)
    child.duplicate(0, as: 1)
    child.duplicate(0, as: 2)
    started = try child.start()
  }

  var process: pid_t { started.number }

  /// Waits for the end: what a shell's `$?` would tell. A program that does not end is killed.
  func exitStatus() -> Int32 { started.end() }

  func signal(_ number: Int32) { started.signal(number) }

  /// The program stands beside the test bundle.
  static let path: String = {
    var bytes = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &bytes, bytes.count - 1)
    let own = String(decoding: bytes[..<max(0, count)].map(UInt8.init(bitPattern:)), as: UTF8.self)
    return own[..<(own.lastIndex(of: "/") ?? own.startIndex)] + "/herald"
  }()
}
