package import Glibc

/// A process to start, with its descriptors, in the words of `posix_spawn`.
package struct ChildProcess {
  /// What the system answered in place of a process or a pipe.
  package struct Failure: Error {
    package var code: Int32
  }

  private let path: String
  private let arguments: [String]
  package var environment: [String: String] = [:]
  /// Whether it leads a session of its own, so that a terminal which it opens controls it.
  package var leadsSession = false
  private var actions = posix_spawn_file_actions_t()

  package init(_ path: String, _ arguments: [String]) {
    self.path = path
    self.arguments = arguments
    posix_spawn_file_actions_init(&actions)
  }

  /// Variables that make a run the same on every machine.
  package static func environment(home: String) -> [String: String] {
    [
      "TERM": "xterm", "LC_ALL": "C.UTF-8", "HOME": home, "EDITRC": "/dev/null", "NO_COLOR": "1",
      "XDG_STATE_HOME": home + "/state", "XDG_CONFIG_HOME": home + "/config",
      "PATH": "/usr/bin:/bin",
    ]
  }

  package mutating func open(_ descriptor: Int32, _ path: String, _ flags: Int32) throws {
    let code = posix_spawn_file_actions_addopen(&actions, descriptor, path, flags, 0o600)
    guard code == 0 else { throw Failure(code: code) }
  }

  package mutating func duplicate(_ from: Int32, as descriptor: Int32) {
    posix_spawn_file_actions_adddup2(&actions, from, descriptor)
  }

  /// Starts the process, with no signal held back; it can be started once.
  ///
  /// No other descriptor of the test's reaches it, whatever other tests open at the same time: a pipe
  /// that it holds open would never end for its reader.
  package mutating func start() throws -> StartedProcess {
    defer { posix_spawn_file_actions_destroy(&actions) }
    let life = try Pipe()
    defer { close(life.writing) }
    duplicate(life.writing, as: Self.lifeline)
    for descriptor in 3..<Self.descriptors where descriptor != Self.lifeline {
      posix_spawn_file_actions_addclose(&actions, descriptor)
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    let newSession: Int16 = leadsSession ? 0x80 : 0
    posix_spawnattr_setflags(&attributes, newSession | Int16(POSIX_SPAWN_SETSIGMASK))
    var process = pid_t()
    let code = withCStrings([path] + arguments) { argv in
      withCStrings(environment.map { "\($0)=\($1)" }) { envp in
        posix_spawn(&process, path, &actions, &attributes, argv, envp)
      }
    }
    guard code == 0 else {
      close(life.reading)
      throw Failure(code: code)
    }
    return StartedProcess(process, life: life.reading)
  }

  /// The descriptor that only tells, by being closed, that the process has ended.
  private static let lifeline: Int32 = 9
  /// More than the tests open at a time; as many as every system allows.
  private static let descriptors: Int32 = 1024
}

/// A process that a test has started. It does not outlive its value.
package final class StartedProcess {
  package let number: pid_t
  /// Its other end is the process's alone, so it ends when the process does.
  private let life: Int32
  private var status: Int32?

  /// How long a process may take to end by itself, in milliseconds.
  package static let patience: Int32 = 60_000

  fileprivate init(_ number: pid_t, life: Int32) {
    self.number = number
    self.life = life
  }

  deinit {
    if status == nil {
      kill(number, SIGKILL)
      _ = end()
    }
    close(life)
  }

  package func signal(_ signal: Int32) { kill(number, signal) }

  /// Waits for the end: what a shell's `$?` would tell. A process that does not end in so many
  /// milliseconds is killed.
  package func end(within patience: Int32 = StartedProcess.patience) -> Int32 {
    if let status { return status }
    if !hasEnded(within: patience) { kill(number, SIGKILL) }
    var code: Int32 = 0
    while waitpid(number, &code, 0) < 0, errno == EINTR {}
    let signal = code & 0x7F
    let status = signal == 0 ? (code >> 8) & 0xFF : 128 + signal
    self.status = status
    return status
  }

  /// Waits for the end for so many milliseconds at most.
  package func hasEnded(within patience: Int32) -> Bool { isReadable(life, within: patience) }
}

/// A pipe that the programs which we start do not get.
package struct Pipe {
  package let reading: Int32
  package let writing: Int32

  package init() throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw ChildProcess.Failure(code: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (reading, writing) = (ends[0], ends[1])
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
