import Glibc

/// Where a terminal is read and written, and the mode in which it was found.
struct TerminalDescriptors: Sendable {
  let input: Int32
  let output: Int32
  /// nil where there is no terminal.
  private let usualMode: termios?

  init(input: Int32, output: Int32) {
    self.input = input
    self.output = output
    usualMode = Self.mode(of: input)
  }

  /// In the mode in which it was when it was first asked for: before anything of ours changes it.
  static let standard = TerminalDescriptors(input: STDIN_FILENO, output: STDOUT_FILENO)

  /// The key that interrupts, Ctrl-C as a rule; nil where none does.
  var interruptKey: UInt8? { signalKey(VINTR) }

  /// The key that suspends, Ctrl-Z as a rule; nil where none does.
  var suspendKey: UInt8? { signalKey(VSUSP) }

  var mode: termios? { Self.mode(of: input) }

  /// What was typed ahead stays. Does nothing in the background, where the terminal is another's.
  func set(_ mode: termios?) {
    // A terminal that is not this process's own has no foreground that it could tell of.
    let foreground = tcgetpgrp(input)
    guard var mode, foreground < 0 || foreground == getpgrp() else { return }
    tcsetattr(input, TCSADRAIN, &mode)
  }

  /// Sets the mode in which the terminal was found.
  func giveBack() { set(usualMode) }

  /// Stops this process until it is continued, as Ctrl-Z does, with the terminal given back meanwhile.
  func suspend() {
    let present = mode
    giveBack()
    Signals.suspend()
    set(present)
  }

  /// Has a write go on that waits for room. The kernel throws away what the terminal has not shown yet
  /// when the interrupting key is pressed, but does not say so to a writer whom no signal wakes, and
  /// who then waits for ever. Stopping and starting the output does.
  func wakeWriter() {
    guard isatty(output) == 1, tcgetpgrp(output) == getpgrp() else { return }
    tcflow(output, TCOOFF)
    tcflow(output, TCOON)
  }

  private func signalKey(_ place: Int32) -> UInt8? {
    guard let usualMode, usualMode.c_lflag & tcflag_t(ISIG) != 0 else { return nil }
    let key = withUnsafeBytes(of: usualMode.c_cc) { $0[Int(place)] }
    return key == 0 ? nil : key
  }

  private static func mode(of descriptor: Int32) -> termios? {
    var mode = termios()
    return tcgetattr(descriptor, &mode) == 0 ? mode : nil
  }
}
