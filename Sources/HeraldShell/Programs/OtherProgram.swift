package import Glibc
import Synchronization

/// Another program, started directly: its words go through no shell.
package struct OtherProgram {
  /// Why it could not be started: an error number.
  package struct Failure: Error {
    package let code: Int32
  }

  private let process: pid_t
  /// Held while a process is started, so that none inherits the end of a pipe that is meant for another one.
  private static let starting = Mutex(())

  /// Starts a program with the default handling of signals that this one blocks or ignores.
  ///
  /// - Parameters:
  ///   - words: its name, which is searched for as the system's shell does if it has no slash, and its arguments.
  ///   - isOwnGroup: whether signals of the terminal's keys are not for it.
  ///   - prepare: sets its descriptors.
  package init(
    _ words: [String], isOwnGroup: Bool = false,
    _ prepare: (inout posix_spawn_file_actions_t) -> Void
  ) throws(Failure) {
    process = try Self.starting.withLock { (_) throws(Failure) in
      try Self.start(words, isOwnGroup: isOwnGroup, prepare)
    }
  }

  /// Starts a program that reads from a pipe, and returns the writing end, too.
  package static func reading(
    _ words: [String], isOwnGroup: Bool = false,
    _ prepare: (inout posix_spawn_file_actions_t) -> Void
  ) throws(Failure) -> (OtherProgram, input: Int32) {
    try starting.withLock { (_) throws(Failure) in
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else { throw Failure(code: errno) }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      defer { close(ends[0]) }
      do throws(Failure) {
        let process = try start(words, isOwnGroup: isOwnGroup) { actions in
          posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO)
          prepare(&actions)
        }
        return (OtherProgram(process: process), ends[1])
      } catch {
        close(ends[1])
        throw error
      }
    }
  }

  private init(process: pid_t) { self.process = process }

  private static func start(
    _ words: [String], isOwnGroup: Bool, _ prepare: (inout posix_spawn_file_actions_t) -> Void
  ) throws(Failure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    prepare(&actions)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var ignored = none
    sigaddset(&ignored, SIGXFSZ)
    sigaddset(&ignored, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &ignored)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF)
        | (isOwnGroup ? Int16(POSIX_SPAWN_SETPGROUP) : 0))
    let texts: [UnsafeMutablePointer<CChar>?] = words.map { (text: String) in strdup(text) }
    defer { for text in texts { free(text) } }
    var process = pid_t()
    let code = posix_spawnp(
      &process, words.first ?? "", &actions, &attributes, texts + [nil], environ)
    guard code == 0 else { throw Failure(code: code) }
    return process
  }

  /// Waits until it ends; returns its exit status, or 128 and the signal that ended it.
  package func end() -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return Self.exitStatus(status)
  }

  /// The exit status if it has ended; nil while it runs.
  package var ended: Int32? {
    var status: Int32 = 0
    return waitpid(process, &status, WNOHANG) == 0 ? nil : Self.exitStatus(status)
  }

  /// Ends it at once, and waits for that.
  package func stop() {
    kill(process, SIGKILL)
    _ = end()
  }

  private static func exitStatus(_ status: Int32) -> Int32 {
    status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
  }

  /// Whether a word names a program that can be started.
  package static func canStart(_ word: String) -> Bool {
    if word.contains("/") { return isProgram(word) }
    let folders = getenv("PATH").map { String(cString: $0) } ?? "/bin:/usr/bin"
    return !word.isEmpty
      && folders.split(separator: ":").contains { isProgram("\($0)/\(word)") }
  }

  private static func isProgram(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }
}
