/// Where the shell's output goes: standard output and standard error, or a terminal's screen.
package protocol OutputSink: AnyObject {
  /// Text of one or more whole lines.
  func write(_ text: String)
  func writeError(_ text: String)
  /// Whether output goes to a terminal: nothing of the data reaches it that it would obey.
  var isTerminal: Bool { get }
  /// Whether errors do.
  var showsErrors: Bool { get }
  /// What output goes to, where its reader may leave: a pipe or a socket.
  var readerDescriptor: Int32? { get }
  /// Told when a statement begins whose reader looks on while it runs: what it writes is shown at
  /// once, however long it is.
  func beginStream()
  func endStream()
  /// Told when a statement that waits for something to write finds that the reader has left.
  func readerLeft()
}

extension OutputSink {
  package var isTerminal: Bool { false }
  package var showsErrors: Bool { false }
  package var readerDescriptor: Int32? { nil }
  package func readerLeft() {}
  package func beginStream() {}
  package func endStream() {}
}

/// Collects output until a turn ends.
struct OutputBuffer {
  private static let limit = 1 << 16

  let sink: any OutputSink
  /// Whether it goes to a terminal.
  let isTerminal: Bool
  private var text = ""

  init(sink: any OutputSink) {
    self.sink = sink
    isTerminal = sink.isTerminal
  }

  /// A line of data, or with data in it: whatever it holds stays one line at a terminal.
  mutating func write(line: String) { append(isTerminal ? line.visible : line) }

  /// A text that has lines of its own.
  mutating func write(lines: String) { append(isTerminal ? lines.visibleLines : lines) }

  /// A line with colours, of which all data is visible already.
  mutating func write(drawn line: String) { append(line) }

  private mutating func append(_ line: String) {
    text += line
    text += "\n"
    if text.utf8.count > OutputBuffer.limit { flush() }
  }

  mutating func flush() {
    if text.isEmpty { return }
    let whole = text
    text = ""
    sink.write(whole)
  }
}
