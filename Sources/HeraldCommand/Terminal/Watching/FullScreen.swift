import Glibc

/// The whole of a terminal's screen, on loan: keys come one by one and unechoed, and what stood there
/// before is put back when this goes. Ctrl-C and Ctrl-Z still make signals.
struct FullScreen: ~Copyable {
  private let terminal: TerminalDescriptors
  private let before: termios

  /// The screen that full-screen programs draw on, no cursor, and lines that do not wrap.
  private static let enter = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l"
  private static let leave = "\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  /// nil where there is no terminal.
  init?(_ terminal: TerminalDescriptors) {
    var settings = termios()
    guard tcgetattr(terminal.input, &settings) == 0 else { return nil }
    self.terminal = terminal
    before = settings
    begin()
  }

  deinit { end() }

  /// Takes the terminal over, also when it is ours already.
  func begin() {
    var settings = before
    settings.c_lflag &= ~(tcflag_t(ICANON) | tcflag_t(ECHO) | tcflag_t(IEXTEN))
    settings.c_iflag &= ~(tcflag_t(ICRNL) | tcflag_t(IXON))
    withUnsafeMutableBytes(of: &settings.c_cc) { characters in
      characters[Int(VMIN)] = 1
      characters[Int(VTIME)] = 0
    }
    tcsetattr(terminal.input, TCSADRAIN, &settings)
    write(Self.enter)
  }

  private func end() {
    write(Self.leave)
    var settings = before
    tcsetattr(terminal.input, TCSADRAIN, &settings)
  }

  /// Stops the program as Ctrl-Z does, with the screen given back meanwhile.
  func suspend() {
    end()
    terminal.suspend()
    begin()
  }

  /// A terminal that went away is noticed when it is read.
  func write(_ text: String) {
    if !text.isEmpty { try? OutputBytes.write(Array(text.utf8), to: terminal.output) }
  }
}
