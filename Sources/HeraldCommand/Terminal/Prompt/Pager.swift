import Glibc

/// A running `$PAGER`, which shows what is too long for the window.
///
/// It reads from a socket rather than a pipe: when it is left before the end, what is still to come
/// meets an error and no signal.
struct Pager: ~Copyable {
  private let process: pid_t
  private let input: Int32
  /// The terminal's mode, which is as usual while the pager runs.
  private let modeBefore: termios?

  /// Starts `command` by the shell; nil where that cannot be.
  init?(_ command: String) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
    defer { close(ends[1]) }
    let terminal = TerminalDescriptors.standard
    let mode = terminal.mode
    terminal.giveBack()
    guard let process = Pager.spawn(command, standardInput: ends[1]) else {
      terminal.set(mode)
      close(ends[0])
      return nil
    }
    modeBefore = mode
    self.process = process
    input = ends[0]
  }

  /// Passes text on. What the pager does not want any more is dropped.
  func write(_ text: String) {
    let bytes = Array(text.utf8)
    var place = 0
    while place < bytes.count {
      let sent = bytes.withUnsafeBytes {
        send(
          input, $0.baseAddress?.advanced(by: place), $0.count - place, Int32(MSG_NOSIGNAL)
        )
      }
      if sent < 0, errno != EINTR { return }
      place += max(0, sent)
    }
  }

  /// Tells it that there is no more, and waits until it is left.
  consuming func finish() {
    close(input)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    TerminalDescriptors.standard.set(modeBefore)
  }

  /// The signals that we hold back or ignore reach it.
  private static func spawn(_ command: String, standardInput: Int32) -> pid_t? {
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
    // As other programs do for the most common pager: it leaves by itself where all fits, and
    // takes colours.
    let texts = ["/bin/sh", "-c", ": \"${LESS=FRX}\"; export LESS; \(command)"]
    let words: [UnsafeMutablePointer<CChar>?] = texts.map { (text: String) in strdup(text) }
    defer { for word in words { free(word) } }
    var process = pid_t()
    let code = posix_spawn(&process, "/bin/sh", &actions, &attributes, words + [nil], environ)
    return code == 0 ? process : nil
  }
}
