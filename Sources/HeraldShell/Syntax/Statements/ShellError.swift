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
  /// The statement that failed, the innermost; nil if none did.
  private(set) var statement: SourceSpan?
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

  /// The text of the statement that failed, or of what the error is about.
  package var statementText: String { source.text(statement ?? span) }

  /// The error as that of a statement, unless one within it has failed.
  func failing(_ statement: SourceSpan, of source: Source) -> ShellError {
    guard self.statement == nil, source === self.source else { return self }
    var copy = self
    copy.statement = statement
    return copy
  }

  var reported: ShellError {
    var copy = self
    copy.isReported = true
    return copy
  }

  /// The exit status of a script whose first failure this is.
  package var exitStatus: Int32 { diagnostic.exitStatus }
}

extension ShellError {
  /// The same error at an earlier version, which it names: what is missing may exist at another.
  func at(_ version: Int) -> ShellError {
    let what: String
    if case .library(.unknownClass(let name, _)) = diagnostic {
      what = "unknown class '\(name)'"
    } else if case .library(.noSuchObject(let name)) = diagnostic {
      what = "there is no object \(name)"
    } else if case .missingObject(let name, let object, _) = diagnostic {
      what = "the object \(object) of '$\(name)' does not exist"
    } else {
      return self
    }
    return ShellError(.query("\(what) at version \(version)"), source, span)
  }
}
