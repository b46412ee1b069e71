import Herald

/// `show Dog | sort`, `show Dog > "dogs.txt"`: sends the output of one statement to a program or a file.
extension Context {
  func redirect(_ statement: Statement, to destination: OutputDestination) throws {
    let sink: any OutputSink
    switch destination {
    case .program(let command):
      shell.output.flush()
      guard let program = shell.output.sink.program(command.text) else {
        throw ShellError(.cannotStart(command.text), source, command.span)
      }
      sink = program
    case .file(let path): sink = try writing(path) { try FileSink(path.text) }
    }
    try redirect(statement, to: sink, of: destination)
    switch destination {
    case .program(let command):
      let status = try sink.finish()
      // The shell's statuses for a program that it cannot find or run.
      if status == 126 || status == 127 {
        throw ShellError(.cannotStart(command.text), source, command.span)
      }
    case .file(let path): _ = try writing(path) { try sink.finish() }
    }
  }

  private func redirect(
    _ statement: Statement, to sink: any OutputSink, of destination: OutputDestination
  ) throws {
    let standard = shell.output
    let wasRedirected = shell.isRedirected
    shell.output = OutputBuffer(sink: sink)
    shell.isRedirected = true
    defer {
      shell.output = standard
      shell.isRedirected = wasRedirected
    }
    do {
      try execute(statement)
      shell.output.flush()
    } catch {
      shell.output.discard()
      // A file stays as it was.
      if case .program = destination { _ = try? sink.finish() }
      throw error
    }
  }
}

/// The output of a statement with `> FILE` after it. The file is there when the statement has ended.
private final class FileSink: OutputSink {
  private let file: OutputFile
  private var failure: File.Failure?

  init(_ path: String) throws(File.Failure) { file = try OutputFile(path, allowsDevices: true) }

  func writeWithoutWaiting(_ text: Substring) -> String.Index {
    do throws(File.Failure) {
      if failure == nil { try file.write(String(text)) }
    } catch {
      failure = error
    }
    return text.endIndex
  }

  func writeError(_ text: String) {}

  var isRead: Bool { failure == nil }

  func finish() throws -> Int32 {
    if let failure { throw failure }
    try file.finish()
    return 0
  }
}
