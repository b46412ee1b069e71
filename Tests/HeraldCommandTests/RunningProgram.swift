import Glibc

/// The built program at a terminal of its own, with a home of its own.
final class RunningProgram {
  let terminal: PseudoTerminal
  let home: TemporaryFolder
  let process: pid_t
  /// Its other end is the program's alone, so it ends when the program does.
  private let life: Int32

  private static let patience: Int32 = 30_000

  init(
    _ arguments: [String] = [], home: TemporaryFolder? = nil, environment: [String: String] = [:],
    rows: Int = 24, columns: Int = 80, program: String = RunningProgram.path
  ) throws {
    terminal = try PseudoTerminal(rows: rows, columns: columns)
    self.home = try home ?? TemporaryFolder()
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw PseudoTerminal.Failure(code: errno) }
    for descriptor in ends { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    life = ends[0]
    defer { close(ends[1]) }
    var child = ChildProcess(program, arguments)
    child.environment = ChildProcess.environment(home: self.home.path)
      .merging(environment) { $1 }.filter { $0.value != "" }
    child.leadsSession = true
    try child.open(0, terminal.name, O_RDWR)
    child.duplicate(0, as: 1)
    child.duplicate(0, as: 2)
    child.duplicate(ends[1], as: 9)
    process = try child.start()
  }

  deinit { close(life) }

  /// Waits for the end: what a shell's `$?` would tell. A program that does not end is killed.
  func exitStatus() -> Int32 {
    var source = pollfd(fd: life, events: Int16(POLLIN), revents: 0)
    if poll(&source, 1, Self.patience) == 0 { kill(process, SIGKILL) }
    return ChildProcess.waitFor(process)
  }

  func signal(_ number: Int32) { kill(process, number) }

  /// The program stands beside the test bundle.
  static let path: String = {
    var bytes = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &bytes, bytes.count - 1)
    let own = String(decoding: bytes[..<max(0, count)].map(UInt8.init(bitPattern:)), as: UTF8.self)
    return own[..<(own.lastIndex(of: "/") ?? own.startIndex)] + "/herald"
  }()
}
