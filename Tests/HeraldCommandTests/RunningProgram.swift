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
    rows: Int = 24, columns: Int = 80
  ) throws {
    terminal = try PseudoTerminal(rows: rows, columns: columns)
    self.home = try home ?? TemporaryFolder()
    let variables = Self.environment(home: self.home.path).merging(environment) { $1 }
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw PseudoTerminal.Failure(code: errno) }
    for descriptor in ends { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    life = ends[0]
    defer { close(ends[1]) }
    process = try Self.spawn(
      arguments, environment: variables.map { "\($0)=\($1)" }, terminal: terminal.name,
      life: ends[1])
  }

  deinit { close(life) }

  /// Waits for the end: what a shell's `$?` would tell. A program that does not end is killed.
  func exitStatus() -> Int32 {
    var source = pollfd(fd: life, events: Int16(POLLIN), revents: 0)
    if poll(&source, 1, Self.patience) == 0 { kill(process, SIGKILL) }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  }

  func signal(_ number: Int32) { kill(process, number) }

  private static func environment(home: String) -> [String: String] {
    [
      "TERM": "xterm", "LC_ALL": "C.UTF-8", "HOME": home, "EDITRC": "/dev/null", "NO_COLOR": "1",
      "XDG_STATE_HOME": home + "/state", "XDG_CONFIG_HOME": home + "/config",
      "PATH": "/usr/bin:/bin",
    ]
  }

  /// The program stands beside the test bundle.
  static let path: String = {
    var bytes = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &bytes, bytes.count - 1)
    let own = String(decoding: bytes[..<max(0, count)].map(UInt8.init(bitPattern:)), as: UTF8.self)
    return own[..<(own.lastIndex(of: "/") ?? own.startIndex)] + "/herald"
  }()

  /// A session of its own makes the terminal, once opened, the one that controls it.
  private static func spawn(
    _ arguments: [String], environment: [String], terminal: String, life: Int32
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
    posix_spawn_file_actions_adddup2(&actions, life, 9)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    let newSession: Int16 = 0x80
    posix_spawnattr_setflags(&attributes, newSession | Int16(POSIX_SPAWN_SETSIGMASK))
    return try withCStrings([path] + arguments) { argv in
      try withCStrings(environment) { envp in
        var process = pid_t()
        let code = posix_spawn(&process, path, &actions, &attributes, argv, envp)
        guard code == 0 else { throw PseudoTerminal.Failure(code: code) }
        return process
      }
    }
  }
}

/// A null-terminated array of C strings, as `exec` wants its arguments.
private func withCStrings<Result>(
  _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) throws -> Result
) rethrows -> Result {
  var pointers: [UnsafeMutablePointer<CChar>?] = strings.map { strdup($0) }
  pointers.append(nil)
  defer { for pointer in pointers { free(pointer) } }
  return try pointers.withUnsafeMutableBufferPointer { try body($0.baseAddress!) }
}
