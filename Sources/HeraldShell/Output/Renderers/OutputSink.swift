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
