import Glibc

/// A process to start, with its descriptors, in the words of `posix_spawn`.
struct ChildProcess {
  private let path: String
  private let arguments: [String]
  var environment: [String: String] = [:]
  /// Whether it leads a session of its own, so that a terminal which it opens controls it.
  var leadsSession = false
  private var actions = posix_spawn_file_actions_t()

  init(_ path: String, _ arguments: [String]) {
    self.path = path
    self.arguments = arguments
    posix_spawn_file_actions_init(&actions)
  }

  /// Variables that make a run the same on every machine.
  static func environment(home: String) -> [String: String] {
    [
      "TERM": "xterm", "LC_ALL": "C.UTF-8", "HOME": home, "EDITRC": "/dev/null", "NO_COLOR": "1",
      "XDG_STATE_HOME": home + "/state", "XDG_CONFIG_HOME": home + "/config",
      "PATH": "/usr/bin:/bin",
    ]
  }

  mutating func open(_ descriptor: Int32, _ path: String, _ flags: Int32) throws {
    let code = posix_spawn_file_actions_addopen(&actions, descriptor, path, flags, 0o600)
    guard code == 0 else { throw PseudoTerminal.Failure(code: code) }
  }

  mutating func duplicate(_ from: Int32, as descriptor: Int32) {
    posix_spawn_file_actions_adddup2(&actions, from, descriptor)
  }

  /// Starts the process, with no signal held back; it can be started once.
  mutating func start() throws -> pid_t {
    defer { posix_spawn_file_actions_destroy(&actions) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    let newSession: Int16 = leadsSession ? 0x80 : 0
    posix_spawnattr_setflags(&attributes, newSession | Int16(POSIX_SPAWN_SETSIGMASK))
    return try withCStrings([path] + arguments) { argv in
      try withCStrings(environment.map { "\($0)=\($1)" }) { envp in
        var process = pid_t()
        let code = posix_spawn(&process, path, &actions, &attributes, argv, envp)
        guard code == 0 else { throw PseudoTerminal.Failure(code: code) }
        return process
      }
    }
  }

  /// Waits for the end: what a shell's `$?` would tell.
  static func waitFor(_ process: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
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
