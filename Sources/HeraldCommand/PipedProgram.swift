import Glibc

/// A running program that reads output from a pipe: the pager, or the one after `|`.
struct PipedProgram: ~Copyable {
  private let process: pid_t
  /// The writing end of the pipe.
  let input: Int32
  /// The terminal's previous mode; the original one is restored while the program runs.
  private let modeBefore: termios?
  /// Whether the program reads no more.
  private(set) var hasLeft = false

  /// Starts `command` with the shell; nil on failure.
  init?(_ command: String) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    let terminal = TerminalDescriptors.standard
    let mode = terminal.mode
    terminal.restoreMode()
    guard let process = PipedProgram.spawn(command, standardInput: ends[0]) else {
      terminal.set(mode)
      close(ends[1])
      return nil
    }
    modeBefore = mode
    self.process = process
    input = ends[1]
  }

  /// Writes from the start of a text what the program takes without waiting, all of it if the program reads
  /// no more; returns where that ends.
  mutating func writeWithoutWaiting(_ text: Substring) -> String.Index {
    if hasLeft { return text.endIndex }
    var end = text.startIndex
    PipedProgram.withoutPipeSignal {
      do throws(SystemFailure) {
        end = try OutputBytes.writeWithoutWaiting(text, to: input)
      } catch {
        hasLeft = true
        end = text.endIndex
      }
    }
    return end
  }

  /// Runs `body` in which a write to a pipe without a reader fails with an error instead of a signal.
  private static func withoutPipeSignal(_ body: () -> Void) {
    var pipeSignal = sigset_t()
    sigemptyset(&pipeSignal)
    sigaddset(&pipeSignal, SIGPIPE)
    var before = sigset_t()
    pthread_sigmask(SIG_BLOCK, &pipeSignal, &before)
    body()
    var none = timespec()
    while sigtimedwait(&pipeSignal, nil, &none) < 0, errno == EINTR {}
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }

  /// Closes its input and waits until it ends; returns its exit status.
  @discardableResult
  consuming func finish() -> Int32 {
    close(input)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    TerminalDescriptors.standard.set(modeBefore)
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
  }

  /// Starts the process with the default handling of signals that this program blocks or ignores.
  static func spawn(_ command: String, standardInput: Int32) -> pid_t? {
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
    return code == 0 ? process : nil
  }
}
