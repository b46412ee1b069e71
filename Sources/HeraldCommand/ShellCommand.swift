import Glibc

/// A running command of the system's shell, which has the terminal in its original mode until it ends.
struct ShellCommand: ~Copyable {
  private let process: pid_t
  /// The terminal's previous mode.
  private let modeBefore: termios?

  init(_ command: String, standardInput: Int32) throws(SystemFailure) {
    let terminal = TerminalDescriptors.standard
    modeBefore = terminal.mode
    terminal.restoreMode()
    do throws(SystemFailure) {
      process = try Self.spawn(command, standardInput: standardInput)
    } catch {
      terminal.set(modeBefore)
      throw error
    }
  }

  /// Waits until it ends; returns its exit status.
  consuming func end() -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    TerminalDescriptors.standard.set(modeBefore)
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
  }

  /// Starts the process with the default handling of signals that this program blocks or ignores.
  private static func spawn(
    _ command: String, standardInput: Int32
  ) throws(SystemFailure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, standardInput, STDIN_FILENO)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var ignored = none
    sigaddset(&ignored, SIGXFSZ)
    posix_spawnattr_setsigdefault(&attributes, &ignored)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
    let texts = ["/bin/sh", "-c", command]
    let words: [UnsafeMutablePointer<CChar>?] = texts.map { (text: String) in strdup(text) }
    defer { for word in words { free(word) } }
    var process = pid_t()
    let code = posix_spawn(&process, "/bin/sh", &actions, &attributes, words + [nil], environ)
    guard code == 0 else { throw SystemFailure(code: code) }
    return process
  }
}
