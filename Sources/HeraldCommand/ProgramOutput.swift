import Glibc
import HeraldShell

/// The output of a statement with `| program` after it.
final class ProgramOutput: OutputSink {
  private var program: PipedProgram?
  private let input: Int32
  private let streams: StandardStreams

  /// Starts `command` with the shell; nil on failure.
  init?(_ command: String, _ streams: StandardStreams) {
    guard let program = PipedProgram(command) else { return nil }
    input = program.input
    self.program = consume program
    self.streams = streams
  }

  func writeWithoutWaiting(_ text: Substring) -> String.Index {
    program?.writeWithoutWaiting(text) ?? text.endIndex
  }

  func waitForReader() -> Bool { streams.wait(for: input) }

  func writeError(_ text: String) { streams.writeError(text) }

  var showsErrors: Bool { streams.showsErrors }
  var errorColumns: Int? { streams.errorColumns }
  var readerDescriptor: Int32? { input }
  var isRead: Bool { program?.hasLeft == false }

  func finish() -> Int32 { program.take()?.finish() ?? 0 }
}
