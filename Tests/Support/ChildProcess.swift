package import Glibc

/// A process to start with `posix_spawn`, with its descriptors.
package struct ChildProcess {
  /// The error of the system call that should have made a process or a pipe.
  package struct Failure: Error {
    package var code: Int32
  }

  private let path: String
  private let arguments: [String]
  package var environment: [String: String] = [:]
  /// Whether it leads a new session, so that a terminal which it opens becomes its controlling terminal.
  package var leadsSession = false
  private var actions = posix_spawn_file_actions_t()

  package init(_ path: String, _ arguments: [String]) {
    self.path = path
    self.arguments = arguments
    posix_spawn_file_actions_init(&actions)
  }

  /// Returns variables that make a run the same on every machine.
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

  /// Starts the process, with no signal blocked; it can be started once.
  ///
  /// It inherits no other descriptor, whatever other tests open at the same time: a pipe that it held open
  /// would never end for its reader.
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

  /// The descriptor whose only purpose is that its end closes with the process.
  private static let lifeline: Int32 = 9
  /// More descriptors than the tests open at a time, and no more than every system allows.
  private static let descriptors: Int32 = 1024
}

/// A process that a test has started. It is killed when this object is released.
package final class StartedProcess {
  package let number: pid_t
  /// A pipe whose other end only the process has, so that it closes when the process ends.
  private let life: Int32
  private var status: Int32?

  /// How long a process may take to end without being killed, in milliseconds.
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

  /// Waits for the end and returns the status as a shell's `$?` does. Kills a process that does not end in
  /// so many milliseconds.
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

  /// Returns whether the process ends within so many milliseconds.
  package func hasEnded(within patience: Int32) -> Bool { isReadable(life, within: patience) }
}

/// A pipe that child processes do not inherit.
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

/// Calls `body` with a null-terminated array of C strings, the form of `exec`'s arguments.
private func withCStrings<Result>(
  _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) throws -> Result
) rethrows -> Result {
  var pointers: [UnsafeMutablePointer<CChar>?] = strings.map { strdup($0) }
  pointers.append(nil)
  defer { for pointer in pointers { free(pointer) } }
  return try pointers.withUnsafeMutableBufferPointer { try body($0.baseAddress!) }
}
