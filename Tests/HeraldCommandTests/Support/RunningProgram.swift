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

  /// Waits for the end, and returns what a shell's `$?` would be. A program that does not end is
  /// killed.
  func exitStatus() -> Int32 { started.end() }

  func signal(_ number: Int32) { started.signal(number) }

  /// The program is in the folder of the test bundle.
  static let path: String = {
    let own = FileTree.linkTarget("/proc/self/exe") ?? ""
    return own[..<(own.lastIndex(of: "/") ?? own.startIndex)] + "/herald"
  }()
}
