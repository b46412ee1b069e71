import Glibc
import TestSupport

/// A terminal of which the test is the person: it types, and waits for what it wants to see.
///
/// Every wait ends at once when the picture is right and fails at a deadline that is far longer
/// than a loaded machine needs.
final class PseudoTerminal {
  /// The program's side.
  let programSide: Int32
  let name: String
  private let personSide: Int32
  private(set) var screen: Screen
  /// All bytes that came, for what a picture does not show.
  private(set) var received: [UInt8] = []
  private var undecoded: [UInt8] = []

  private static let patience: Int32 = 30_000

  struct Unseen: Error, CustomStringConvertible {
    let wanted: String
    let seen: String
    var description: String { "waited for:\n\(wanted)\nbut saw:\n\(seen)" }
  }

  init(rows: Int = 24, columns: Int = 80) throws {
    // The screen needs the widths of characters.
    setlocale(LC_CTYPE, "C.UTF-8")
    var person: Int32 = -1
    var program: Int32 = -1
    var name = [CChar](repeating: 0, count: 128)
    var size = winsize(
      ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    guard openpty(&person, &program, &name, nil, &size) == 0 else { throw Failure(code: errno) }
    for descriptor in [person, program] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    personSide = person
    programSide = program
    self.name = name.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    screen = Screen(rows: rows, columns: columns)
  }

  deinit {
    close(personSide)
    close(programSide)
  }

  struct Failure: Error { let code: Int32 }

  func send(_ text: String) throws {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(personSide, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR { throw Failure(code: errno) }
      bytes = bytes.dropFirst(max(0, count))
    }
  }

  /// Waits until the row with the cursor shows exactly `line`.
  func waitForLine(_ line: String) throws {
    try wait(for: "a line '\(line)'") { $0.cursorLine == line }
  }

  /// Waits until the whole picture is exactly `text`.
  func waitForScreen(_ text: String) throws {
    try wait(for: text) { $0.text == text }
  }

  /// Waits until `text` can be seen anywhere.
  func waitForText(_ text: String) throws {
    try wait(for: "'\(text)'") { $0.text.contains(text) }
  }

  /// Waits until `text` was sent, even if it has left the screen since.
  func waitForOutput(_ text: String) throws {
    let bytes = Array(text.utf8)
    try wait(for: "output '\(text)'") { _ in received.firstRange(of: bytes) != nil }
  }

  func wait(for wanted: String, until condition: (Screen) -> Bool) throws {
    let deadline = ContinuousClock.now + .milliseconds(Int(Self.patience))
    while !condition(screen) {
      guard ContinuousClock.now < deadline, isReadable(personSide, within: Self.patience),
        readMore()
      else {
        throw Unseen(wanted: wanted, seen: screen.text)
      }
    }
  }

  /// Waits for what is not seen on the screen.
  func wait(for wanted: String, unseen condition: () -> Bool) throws {
    guard becomesTrue(condition) else { throw Unseen(wanted: wanted, seen: screen.text) }
  }

  /// Reads what was sent before now, without waiting.
  func readWhatCame() {
    while isReadable(personSide, within: 0), readMore() {}
  }

  /// Changes the window's size; the foreground processes get SIGWINCH.
  func resize(rows: Int, columns: Int) {
    var size = winsize(
      ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    screen = Screen(rows: rows, columns: columns)
    _ = ioctl(personSide, UInt(TIOCSWINSZ), &size)
  }

  /// Changes the width of the window and keeps what it shows; `notify` notifies the program where no signal does.
  func resize(to columns: Int, reflowing: Bool, _ notify: () -> Void = {}) throws {
    screen.resize(to: columns, reflowing: reflowing)
    var size = winsize(
      ws_row: UInt16(screen.rows.count), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(personSide, UInt(TIOCSWINSZ), &size)
    notify()
  }

  /// True while the kernel edits lines and echoes, as it does outside an editor.
  var isCooked: Bool { has(ICANON | ECHO) }

  /// True while Ctrl-C is a signal, as it is where statements and blocks run.
  var isInterruptible: Bool { has(ISIG) }

  private func has(_ flags: Int32) -> Bool {
    var settings = termios()
    tcgetattr(programSide, &settings)
    return settings.c_lflag & tcflag_t(flags) == tcflag_t(flags)
  }

  private func readMore() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(personSide, &bytes, bytes.count)
    if count < 0, errno == EINTR { return true }
    guard count > 0 else { return false }
    received.append(contentsOf: bytes[..<count])
    undecoded.append(contentsOf: bytes[..<count])
    while let scalar = nextScalar() { screen.write(scalar) }
    for reply in screen.takeReplies() { try? send(reply) }
    return true
  }

  private func nextScalar() -> Unicode.Scalar? {
    guard let first = undecoded.first else { return nil }
    let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    guard undecoded.count >= length else { return nil }
    defer { undecoded.removeFirst(length) }
    return String(decoding: undecoded[..<length], as: UTF8.self).unicodeScalars.first
  }
}
