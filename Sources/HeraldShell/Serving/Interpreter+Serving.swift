import Herald

/// What the statements of another program print.
package struct ServedAnswer: Sendable {
  /// At least one line of JSON for each statement, as `--answers` writes them. If a statement fails, the last line is its error.
  package let lines: String
  package let hasFailed: Bool
}

extension Interpreter {
  /// The version that the session `main` is at; nil without a store.
  package var version: Int? { main.store?.version }

  /// Runs the statements of a text up to the first that fails, and returns what they print. The interpreter must
  /// write JSON and answers.
  ///
  /// - Parameters:
  ///   - served: the statements that the text may have.
  ///   - inTransaction: whether they are one transaction, whose commit is answered last, and which a failure rolls back.
  package func answer(
    _ source: Source, _ served: ServedStatements, inTransaction: Bool = false
  ) -> ServedAnswer {
    clearInterruption()
    let capture = OutputCapture()
    let standard = output
    output = OutputBuffer(sink: capture)
    self.served = served
    defer {
      output = standard
      self.served = nil
      variables = [:]
    }
    var hasFailed = false
    do {
      if inTransaction {
        let store = try store(of: main)
        try naming(main) { try store.beginWrite(waiting: false) }
        hasFailed = !run(source)
        if hasFailed {
          try store.rollbackWrite()
        } else {
          try store.commitWrite()
          emit(.answer(version: store.version))
        }
      } else {
        hasFailed = !run(source)
      }
    } catch {
      if let store = main.store, store.isInWrite { try? store.rollbackWrite() }
      report(located(error, source, SourceSpan(start: 0, end: 0)))
      hasFailed = true
    }
    output.flush()
    return ServedAnswer(lines: capture.text, hasFailed: hasFailed)
  }
}

/// Keeps what is written.
private final class OutputCapture: OutputSink {
  private(set) var text = ""

  func writeWithoutWaiting(_ text: Substring) -> String.Index {
    self.text += text
    return text.endIndex
  }

  func writeError(_ text: String) { self.text += text }
}
