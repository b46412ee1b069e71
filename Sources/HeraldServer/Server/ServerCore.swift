import HeraldShell
import NIOCore
import NIOHTTP1
import Synchronization

/// What the connections of a server share.
final class ServerCore: Sendable {
  let settings: ServerSettings
  let access: AccessRules
  let counters: ServerCounters
  let hub: LiveHub
  /// Reads and writes; queries are followed on a thread of their own, which slow statements do not delay.
  private let statements: StoreThread

  init(
    _ settings: ServerSettings, _ hub: LiveHub, _ statements: StoreThread
  ) {
    self.settings = settings
    self.hub = hub
    self.statements = statements
    counters = hub.counters
    access = AccessRules(settings)
  }

  /// Runs work on the thread of the store; returns false if too much waits for it.
  func perform(_ body: @escaping @Sendable (Interpreter) -> Void) -> Bool {
    let waiting = counters.waitingRequests.add(1, ordering: .relaxed).newValue
    guard waiting <= settings.limits.waitingRequests else {
      counters.waitingRequests.subtract(1, ordering: .relaxed)
      return false
    }
    statements.perform { [counters] interpreter in
      body(interpreter)
      counters.waitingRequests.subtract(1, ordering: .relaxed)
    }
    return true
  }

  /// What a browser asks before a page of another origin sends a request.
  func preflight(_ head: HTTPRequestHead) -> HTTPAnswer {
    HTTPAnswer(
      .noContent, nil, ByteBuffer(),
      headers: [
        "Access-Control-Allow-Methods": "GET, POST",
        "Access-Control-Allow-Headers": "Authorization, Content-Type, Last-Event-ID",
        "Access-Control-Max-Age": "600",
      ])
  }
}
