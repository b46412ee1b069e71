import Testing

/// Expects that `body` throws an error with this message.
func expectError(
  _ message: String, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) {
  do {
    try body()
    Issue.record("no error; expected: \(message)", sourceLocation: sourceLocation)
  } catch {
    #expect("\(error)" == message, sourceLocation: sourceLocation)
  }
}
