package import Herald

/// What went wrong with a statement, and where: data, from which renderers make text or JSON.
package struct ShellError: Error {
  /// What a failure means for the exit status of a script.
  package enum Severity: Sendable {
    case statement, expectation, opening, damage, interruption
  }

  package let complaint: Complaint
  package let source: Source
  package let span: SourceSpan
  /// It was shown already, where it happened.
  private(set) var isReported = false

  init(_ complaint: Complaint, _ source: Source, _ span: SourceSpan) {
    self.complaint = complaint
    self.source = source
    self.span = span
  }

  package var message: String { complaint.message }

  /// Where it begins.
  package var position: SourcePosition { source.position(of: span.start) }

  /// What it is about, as it was written.
  package var excerpt: String { source.text(span) }

  var reported: ShellError {
    var copy = self
    copy.isReported = true
    return copy
  }

  /// The exit status of a script whose first failure this is.
  package var exitStatus: Int32 { complaint.exitStatus }
}
