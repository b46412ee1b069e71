import HeraldModel

/// An error in a query, with its position. The message includes any suggestion.
public struct QueryError: Error, Hashable, Sendable {
  /// The text, as a sentence without its full stop.
  public var message: String
  /// What it is about, in the text of the query.
  public var span: SourceSpan

  /// An error with its place.
  public init(message: String, span: SourceSpan) {
    self.message = message
    self.span = span
  }

  /// Whether names and types are right, and only the value cannot be computed.
  private(set) var isOfValue = false
  /// The object that is not there, if that is the error.
  package private(set) var missingObject: String?

  init(_ fault: QueryFault, _ span: SourceSpan) {
    self.init(message: fault.message, span: span)
    switch fault {
    case .model(.noSuchObject(let name)): missingObject = name
    case .divisionByZero, .overflow, .notConvertible: isOfValue = true
    default: break
    }
  }
}

extension QueryError: CustomStringConvertible {
  /// The text, as a sentence without its full stop.
  public var description: String { message }
}
