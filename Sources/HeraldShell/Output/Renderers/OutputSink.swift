/// The destination of the shell's output: standard output and standard error, or a terminal's screen.
package protocol OutputSink: AnyObject {
  /// Writes from the start of a text what the reader takes without making the program wait; returns where
  /// that ends. The text consists of lines, but for the parts of a long one.
  func writeWithoutWaiting(_ text: Substring) -> String.Index
  /// Waits until the reader takes more; returns false if the wait was interrupted.
  func waitForReader() -> Bool
  func writeError(_ text: String)
  /// Whether output goes to a terminal, so that control characters in data are escaped.
  var isTerminal: Bool { get }
  /// Whether errors go to a terminal.
  var showsErrors: Bool { get }
  /// The width of the terminal that shows errors; nil if there is none.
  var errorColumns: Int? { get }
  /// Whether anybody still reads the output.
  var isRead: Bool { get }
  /// Starts a program that reads the output of a statement; nil on failure.
  func program(_ command: String) -> (any OutputSink)?
  /// Ends the output; returns the exit status of the program that reads it.
  func finish() throws -> Int32
  /// The descriptor of the output if it is a pipe or a socket, whose reader may leave.
  var readerDescriptor: Int32? { get }
  /// Where the output ends, if it goes to a regular file, at its end.
  var place: OutputPlace? { get }
  /// Returns what follows the first bytes of the regular file to which the output goes; nil if it cannot be read.
  func written(after length: Int) -> [UInt8]?
  /// Called at the start of a statement whose output is read while it runs: output is then shown at
  /// once, whatever its length.
  func beginStream()
  func endStream()
  /// Called when a waiting statement finds that the reader of the output has left.
  func readerLeft()
}

extension OutputSink {
  package func waitForReader() -> Bool { true }
  package var isRead: Bool { true }
  package func program(_ command: String) -> (any OutputSink)? { nil }
  package func finish() throws -> Int32 { 0 }
  package var isTerminal: Bool { false }
  package var showsErrors: Bool { false }
  package var errorColumns: Int? { nil }
  package var readerDescriptor: Int32? { nil }
  package var place: OutputPlace? { nil }
  package func written(after length: Int) -> [UInt8]? { nil }
  package func readerLeft() {}
  package func beginStream() {}
  package func endStream() {}
}
