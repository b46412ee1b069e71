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
