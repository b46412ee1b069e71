import Glibc

/// How much a terminal shows.
struct TerminalSize: Equatable {
  let columns: Int
  let rows: Int

  /// nil where the descriptor is no terminal, or one that does not tell.
  init?(descriptor: Int32) {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return nil
    }
    columns = Int(size.ws_col)
    rows = Int(size.ws_row)
  }
}
