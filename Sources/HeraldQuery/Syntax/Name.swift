/// A word of the source with its span.
package struct Name: Equatable, Sendable {
  package var text: String
  package var span: SourceSpan

  package init(text: String, span: SourceSpan) {
    self.text = text
    self.span = span
  }
}
