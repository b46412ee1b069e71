/// The destination of the shell's output: standard output and standard error, or a terminal's screen.
package protocol OutputSink: AnyObject {
  /// Text of one or more whole lines.
  func write(_ text: String)
  func writeError(_ text: String)
  /// Whether output goes to a terminal, so that control characters in data are escaped.
  var isTerminal: Bool { get }
  /// Whether errors go to a terminal.
  var showsErrors: Bool { get }
  /// The descriptor of the output if it is a pipe or a socket, whose reader may leave.
  var readerDescriptor: Int32? { get }
  /// Called at the start of a statement whose output is read while it runs: output is then shown at
  /// once, whatever its length.
  func beginStream()
  func endStream()
  /// Called when a waiting statement finds that the reader of the output has left.
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
  /// The bytes that are written at once while a statement prints.
  static let usualLimit = 1 << 16
  /// The bytes that `follow` collects, so that it holds no version while a slow reader reads them.
  static let limitOfFollow = 1 << 26

  var limit = usualLimit
  let sink: any OutputSink
  /// Whether the output goes to a terminal.
  let isTerminal: Bool
  private var text = ""

  init(sink: any OutputSink) {
    self.sink = sink
    isTerminal = sink.isTerminal
  }

  /// Writes a line that contains data: at a terminal it stays one line whatever the data.
  mutating func write(line: String) { append(isTerminal ? line.visible : line) }

  /// Writes a text of several lines.
  mutating func write(lines: String) { append(isTerminal ? lines.visibleLines : lines) }

  /// Writes a line with colours, whose data is escaped already.
  mutating func write(drawn line: String) { append(line) }

  private mutating func append(_ line: String) {
    text += line
    text += "\n"
    if text.utf8.count > limit { flush() }
  }

  mutating func flush() {
    if text.isEmpty { return }
    let whole = text
    text = ""
    sink.write(whole)
  }
}
