/// Where the shell's output goes: standard output and standard error, or a terminal's screen.
package protocol OutputSink: AnyObject {
  /// Text of one or more whole lines.
  func write(_ text: String)
  func writeError(_ text: String)
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
  package var readerDescriptor: Int32? { nil }
  package func readerLeft() {}
  package func beginStream() {}
  package func endStream() {}
}

/// Collects output until a turn ends.
struct OutputBuffer {
  private static let limit = 1 << 16

  let sink: any OutputSink
  private var text = ""

  init(sink: any OutputSink) { self.sink = sink }

  mutating func write(line: String) {
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
