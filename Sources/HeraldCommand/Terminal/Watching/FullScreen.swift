import Glibc

/// The alternate screen of a terminal, with single keys and no echo; its end restores the previous screen
/// and mode. Ctrl-C and Ctrl-Z still raise signals.
struct FullScreen: ~Copyable {
  private let terminal: TerminalDescriptors
  private let before: termios

  /// The alternate screen, without cursor and line wrapping.
  private static let enter = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l"
  private static let leave = "\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  /// Takes over the terminal; nil if there is none.
  init?(_ terminal: TerminalDescriptors) {
    var settings = termios()
    guard tcgetattr(terminal.input, &settings) == 0 else { return nil }
    self.terminal = terminal
    before = settings
    begin()
  }

  deinit { end() }

  /// Takes over the terminal; may be repeated.
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

  /// Stops the program as Ctrl-Z does, with the previous screen and mode meanwhile.
  func suspend() {
    end()
    terminal.suspend()
    begin()
  }

  /// Writes text; ignores errors, because reading detects a closed terminal.
  func write(_ text: String) {
    if !text.isEmpty { try? OutputBytes.write(Array(text.utf8), to: terminal.output) }
  }
}
