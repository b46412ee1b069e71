import Synchronization

/// What a server has done and has, for `/metrics`.
final class ServerCounters: Sendable {
  /// Of the present.
  let connections = Atomic(0)
  let readers = Atomic(0)
  let queries = Atomic(0)
  let waitingRequests = Atomic(0)
  /// Since the beginning.
  let requests = Atomic(0)
  let refusals = Atomic(0)
  let failures = Atomic(0)
  let events = Atomic(0)
  let sentEvents = Atomic(0)
  let sentBytes = Atomic(0)
  let droppedReaders = Atomic(0)

  /// As Prometheus reads it.
  func text(version: Int) -> String {
    let gauges = [
      ("herald_connections", "Open connections.", connections.load(ordering: .relaxed)),
      ("herald_readers", "Readers of live queries.", readers.load(ordering: .relaxed)),
      ("herald_queries", "Live queries that are evaluated.", queries.load(ordering: .relaxed)),
      (
        "herald_waiting_requests", "Requests that wait for the store.",
        waitingRequests.load(ordering: .relaxed)
      ),
      ("herald_version", "The version of the store.", version),
    ]
    let counts = [
      ("herald_requests_total", "Requests.", requests.load(ordering: .relaxed)),
      (
        "herald_refusals_total", "Requests refused for their token, host or origin.",
        refusals.load(ordering: .relaxed)
      ),
      (
        "herald_failures_total", "Requests whose statements failed.",
        failures.load(ordering: .relaxed)
      ),
      ("herald_events_total", "Events made.", events.load(ordering: .relaxed)),
      ("herald_sent_events_total", "Events sent.", sentEvents.load(ordering: .relaxed)),
      ("herald_sent_bytes_total", "Bytes of events sent.", sentBytes.load(ordering: .relaxed)),
      (
        "herald_dropped_readers_total", "Readers dropped because they were too slow.",
        droppedReaders.load(ordering: .relaxed)
      ),
    ]
    let lines = { (kind: String, metrics: [(name: String, help: String, value: Int)]) in
      metrics.map {
        "# HELP \($0.name) \($0.help)\n# TYPE \($0.name) \(kind)\n\($0.name) \($0.value)\n"
      }
    }
    return (lines("gauge", gauges) + lines("counter", counts)).joined()
  }
}
