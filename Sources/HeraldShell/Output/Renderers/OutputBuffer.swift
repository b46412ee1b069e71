/// The destination of the shell's output: standard output and standard error, or a terminal's screen.
package protocol OutputSink: AnyObject {
  /// Text of one or more whole lines.
  func write(_ text: String)
  /// Writes from the start of a text what the reader takes without making the program wait; returns where
  /// that ends.
  func writeWithoutWaiting(_ text: Substring) -> String.Index
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
  package func writeWithoutWaiting(_ text: Substring) -> String.Index {
    write(String(text))
    return text.endIndex
  }
  package var isTerminal: Bool { false }
  package var showsErrors: Bool { false }
  package var readerDescriptor: Int32? { nil }
  package func readerLeft() {}
  package func beginStream() {}
  package func endStream() {}
}

/// Collects output until a turn ends, or until the reader takes it.
///
/// A statement whose output is read slowly ends and releases its version all the same, with up to 64 MB of
/// output still to be written.
struct OutputBuffer {
  /// The bytes that are collected before the reader is offered them.
  private static let step = 1 << 16
  /// The bytes beyond which a statement waits for the reader.
  private static let limit = 1 << 26

  let sink: any OutputSink
  /// Whether the output goes to a terminal.
  let isTerminal: Bool
  private var text = ""
  /// The end of what is written already.
  private var start = "".startIndex
  /// The bytes of `text` at which it is offered next.
  private var offered = step

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
    if text.utf8.count > offered { offer() }
  }

  private mutating func offer() {
    start = sink.writeWithoutWaiting(text[start...])
    if start == text.endIndex {
      clear()
    } else if text.utf8[start...].count > Self.limit {
      flush()
    } else {
      offered = text.utf8.count + Self.step
    }
  }

  mutating func flush() {
    if text.isEmpty { return }
    let rest = String(text[start...])
    clear()
    sink.write(rest)
  }

  private mutating func clear() {
    text = ""
    start = text.startIndex
    offered = Self.step
  }
}
