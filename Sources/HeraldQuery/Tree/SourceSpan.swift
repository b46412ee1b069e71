/// A range of a source text, as byte offsets into its UTF-8.
public struct SourceSpan: Hashable, Sendable {
  public var start: Int
  public var end: Int

  public init(start: Int, end: Int) {
    self.start = start
    self.end = end
  }

  /// Returns the span from the start of this one to the end of `other`.
  func through(_ other: SourceSpan) -> SourceSpan { SourceSpan(start: start, end: other.end) }
}

/// An error in a query, with its position. The message includes any suggestion.
public struct QueryError: Error, Hashable, Sendable {
  public var message: String
  public var span: SourceSpan

  public init(message: String, span: SourceSpan) {
    self.message = message
    self.span = span
  }

  init(_ fault: QueryFault, _ span: SourceSpan) {
    self.init(message: fault.message, span: span)
  }
}

extension QueryError: CustomStringConvertible {
  public var description: String { message }
}
