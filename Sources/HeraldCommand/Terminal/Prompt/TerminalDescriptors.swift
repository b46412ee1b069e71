import Glibc

/// The descriptors of a terminal, and its original mode.
struct TerminalDescriptors: Sendable {
  let input: Int32
  let output: Int32
  /// Nil if there is no terminal.
  private let originalMode: termios?

  init(input: Int32, output: Int32) {
    self.input = input
    self.output = output
    originalMode = Self.mode(of: input)
  }

  /// The standard streams. First used before the program changes the terminal's mode.
  static let standard = TerminalDescriptors(input: STDIN_FILENO, output: STDOUT_FILENO)

  /// The terminal of a program whose standard input is something else; nil if standard output is none, or the program
  /// has none.
  static func controlling() -> TerminalDescriptors? {
    guard isatty(STDOUT_FILENO) == 1 else { return nil }
    let input = open("/dev/tty", O_RDWR | O_CLOEXEC)
    return input < 0 ? nil : TerminalDescriptors(input: input, output: STDOUT_FILENO)
  }

  /// The key that interrupts, usually Ctrl-C; nil for none.
  var interruptKey: UInt8? { signalKey(VINTR) }

  /// The key that suspends, usually Ctrl-Z; nil for none.
  var suspendKey: UInt8? { signalKey(VSUSP) }

  var mode: termios? { Self.mode(of: input) }

  /// Sets a mode and keeps type-ahead. No effect in the background, where another process owns the terminal.
  func set(_ mode: termios?) {
    // `tcgetpgrp` fails for a terminal that is not the controlling one.
    let foreground = tcgetpgrp(input)
    guard var mode, foreground < 0 || foreground == getpgrp() else { return }
    tcsetattr(input, TCSADRAIN, &mode)
  }

  /// Restores the original mode.
  func restoreMode() { set(originalMode) }

  /// Stops this process until it is continued, as Ctrl-Z does, with the original mode meanwhile.
  func suspend() {
    let current = mode
    restoreMode()
    Signals.suspend()
    set(current)
  }

  /// Wakes a write that is blocked by a full output buffer. When the interrupt key is pressed, the kernel
  /// discards the terminal's pending output, but does not wake a writer that no signal reaches. Stopping and
  /// restarting the output does.
  func wakeWriter() {
    guard isatty(output) == 1, tcgetpgrp(output) == getpgrp() else { return }
    tcflow(output, TCOOFF)
    tcflow(output, TCOON)
  }

  private func signalKey(_ index: Int32) -> UInt8? {
    guard let originalMode, originalMode.c_lflag & tcflag_t(ISIG) != 0 else { return nil }
    let key = withUnsafeBytes(of: originalMode.c_cc) { $0[Int(index)] }
    return key == 0 ? nil : key
  }

  private static func mode(of descriptor: Int32) -> termios? {
    var mode = termios()
    return tcgetattr(descriptor, &mode) == 0 ? mode : nil
  }
}
