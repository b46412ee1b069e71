import Glibc

/// The size of a terminal.
struct TerminalSize: Equatable {
  let columns: Int
  let rows: Int

  /// Reads the size; nil if the descriptor is not a terminal or its size is unknown.
  init?(descriptor: Int32) {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return nil
    }
    columns = Int(size.ws_col)
    rows = Int(size.ws_row)
  }
}
