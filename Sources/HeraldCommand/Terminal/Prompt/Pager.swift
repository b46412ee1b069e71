import Glibc

/// A running `$PAGER`, which shows output too long for the window.
///
/// It reads from a socket rather than a pipe: if the user leaves it early, further writes fail with an error
/// instead of a signal.
struct Pager: ~Copyable {
  private let process: pid_t
  private let input: Int32
  /// The terminal's previous mode; the original one is restored while the pager runs.
  private let modeBefore: termios?

  /// Starts `command` with the shell; nil on failure.
  init?(_ command: String) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
    defer { close(ends[1]) }
    let terminal = TerminalDescriptors.standard
    let mode = terminal.mode
    terminal.restoreMode()
    guard let process = Pager.spawn(command, standardInput: ends[1]) else {
      terminal.set(mode)
      close(ends[0])
      return nil
    }
    modeBefore = mode
    self.process = process
    input = ends[0]
  }

  /// Writes text to the pager, and drops it if the user has left. Calls `whenBlocked`, once, before it waits
  /// for the user to read on.
  func write(_ text: String, whenBlocked: () -> Void) {
    let bytes = Array(text.utf8)
    let offset = send(bytes, from: 0, Int32(MSG_DONTWAIT))
    if offset < bytes.count { whenBlocked() }
    _ = send(bytes, from: offset)
  }

  /// Writes from the start of a text what the pager takes without waiting; returns where that ends.
  func writeWithoutWaiting(_ text: Substring) -> String.Index {
    let bytes = Array(text.utf8)
    var end = send(bytes, from: 0, Int32(MSG_DONTWAIT))
    // The rest begins with a whole character of Unicode.
    while end < bytes.count, bytes[end] & 0xC0 == 0x80 {
      end = send(Array(bytes[..<(end + 1)]), from: end)
    }
    return text.utf8.index(text.startIndex, offsetBy: end)
  }

  /// Sends bytes until all are sent or, with `MSG_DONTWAIT`, the pager takes no more; returns where that is.
  /// All are sent if the user has left.
  private func send(_ bytes: [UInt8], from start: Int, _ flags: Int32 = 0) -> Int {
    var offset = start
    while offset < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.send(
          input, $0.baseAddress?.advanced(by: offset), $0.count - offset,
          flags | Int32(MSG_NOSIGNAL))
      }
      if count >= 0 {
        offset += count
      } else if errno == EAGAIN {
        return offset
      } else if errno != EINTR {
        return bytes.count
      }
    }
    return offset
  }

  /// Closes its input and waits until the user leaves it.
  consuming func finish() {
    close(input)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    TerminalDescriptors.standard.set(modeBefore)
  }

  /// Starts the process with the default handling of signals that this program blocks or ignores.
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
    // The usual defaults for `less`: it exits if everything fits on the screen, and passes colours.
    let texts = ["/bin/sh", "-c", ": \"${LESS=FRX}\"; export LESS; \(command)"]
    let words: [UnsafeMutablePointer<CChar>?] = texts.map { (text: String) in strdup(text) }
    defer { for word in words { free(word) } }
    var process = pid_t()
    let code = posix_spawn(&process, "/bin/sh", &actions, &attributes, words + [nil], environ)
    return code == 0 ? process : nil
  }
}
