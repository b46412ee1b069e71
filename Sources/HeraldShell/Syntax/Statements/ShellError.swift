package import Herald

/// The error of a statement, with its span, as data that renderers write as text or JSON.
package struct ShellError: Error {
  /// The severity of a failure, which determines the exit status of a script.
  package enum Severity: Sendable {
    case statement, expectation, opening, damage, interruption
  }

  package let diagnostic: Diagnostic
  package let source: Source
  package let span: SourceSpan
  /// Whether it was reported already.
  private(set) var isReported = false

  init(_ diagnostic: Diagnostic, _ source: Source, _ span: SourceSpan) {
    self.diagnostic = diagnostic
    self.source = source
    self.span = span
  }

  package var message: String { diagnostic.message }

  /// The position where it begins.
  package var position: SourcePosition { source.position(of: span.start) }

  /// The source text that it is about.
  package var excerpt: String { source.text(span) }

  var reported: ShellError {
    var copy = self
    copy.isReported = true
    return copy
  }

  /// The exit status of a script whose first failure this is.
  package var exitStatus: Int32 { diagnostic.exitStatus }
}
