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
