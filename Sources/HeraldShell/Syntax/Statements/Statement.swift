import Herald

/// A parsed statement: its form, and where it is in its source.
struct Statement {
  var form: any StatementForm
  var span: SourceSpan
}
