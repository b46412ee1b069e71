import Glibc

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

/// Calls `body` with a null-terminated array of C strings, the form of `exec`'s arguments.
private func withCStrings<Result>(
  _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) throws -> Result
) rethrows -> Result {
  var pointers: [UnsafeMutablePointer<CChar>?] = strings.map { strdup($0) }
  pointers.append(nil)
  defer { for pointer in pointers { free(pointer) } }
  return try pointers.withUnsafeMutableBufferPointer { try body($0.baseAddress!) }
}
