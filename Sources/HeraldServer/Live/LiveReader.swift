/// Who follows a query: a stream of server-sent events, or one query of a WebSocket. Only the loop of the connections
/// calls it.
protocol LiveReader: AnyObject {
  /// Whether it still wants events.
  var isOpen: Bool { get }
  /// Called once, before the first event, which is nil where nothing has changed since the version that it has.
  func begin(_ reading: LiveReading, _ event: LiveEvent?)
  func receive(_ event: LiveEvent)
  /// The version up to which it has received everything.
  func receive(version: Int)
  /// Called in the place of `begin` if the query cannot be followed.
  func fail(_ failure: LiveFailure)
  /// There will be no more events.
  func end()
}

/// Why a query is not followed.
enum LiveFailure: Sendable {
  /// A line of JSON about the text of the query.
  case wrongQuery(String)
  /// It took too long, with the line.
  case tooSlow(String)
  /// There are too many different queries.
  case tooMany

  static let tooManyMessage = "too many queries are followed"
}
