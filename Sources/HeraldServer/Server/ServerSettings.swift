/// What a server serves, where, and how much.
package struct ServerSettings: Sendable {
  /// The path of the store.
  package var store: String
  package var host = "127.0.0.1"
  /// 0 for any that is free.
  package var port = 8080
  package var isReadOnly = false
  /// What requests must have; nil if nothing is required.
  package var token: String?
  /// The origins of pages from elsewhere that may read and write.
  package var origins: [String] = []
  package var limits = Limits()

  package init(store: String) { self.store = store }

  /// What one server, connection or request takes at most.
  package struct Limits: Sendable {
    package var connections = 12_000
    /// Requests that wait for the store.
    package var waitingRequests = 256
    /// Different queries that are followed at once.
    package var queries = 10_000
    /// Queries on one WebSocket.
    package var queriesOfConnection = 100
    /// The bytes of a path with its parameters.
    package var target = 8_192
    /// The bytes of a body, and of a message of a WebSocket.
    package var body = 1 << 20
    /// The bytes of events that wait for a reader who does not take them, besides its first event.
    package var backlog = 1 << 20
    /// How long statements may run, in milliseconds.
    package var statement = 10_000
    /// How long a request may take to arrive, in milliseconds.
    package var request = 10_000
    /// How long a connection may be idle between requests, in milliseconds.
    package var idle = 60_000
    /// How long events may wait for a reader that does not receive them, in milliseconds.
    package var stall = 30_000
    /// The time between two signs of life of a stream, in milliseconds.
    package var heartbeat = 15_000

    package init() {}
  }
}
