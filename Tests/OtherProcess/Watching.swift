import Dispatch
import Glibc
import Herald
import Synchronization

/// An observer of a note on another machine, which records when each of its numbers arrived.
final class Watching: Sendable {
  private let count: Int
  private let seen: Mutex<[Double]>
  private let ready = DispatchSemaphore(value: 0)
  private let finished = DispatchSemaphore(value: 0)

  init(_ count: Int) {
    self.count = count
    seen = Mutex(Array(repeating: 0, count: count + 1))
  }

  func waitUntilReady() { ready.wait() }

  /// Waits until the last number has arrived, and returns the times from the first number on.
  func wait() -> [Double] {
    finished.wait()
    return seen.withLock { Array($0.dropFirst()) }
  }

  /// Follows a store on the current thread, which makes it.
  func run(_ open: () throws -> DynamicStore) throws {
    let store = try open()
    while try store.schema.classSchema(named: "Note") == nil || store.objects("Note").count == 0 {
      _ = try store.refresh()
    }
    let commits = DispatchSemaphore(value: 0)
    let listener = try store.onCommitElsewhere { commits.signal() }
    var last = 0
    let token = try store.objects("Note").observe { [self] notes, _ in
      guard case .int(let number) = try notes.objects[0].value("number") else { return }
      let now = ReplicaMeasurement.now
      // Numbers in between arrived with this one.
      if number > last { seen.withLock { for index in last + 1...number { $0[index] = now } } }
      last = number
    }
    try store.endTurn()
    ready.signal()
    while last < count {
      commits.wait()
      _ = try store.refresh()
    }
    finished.signal()
    token.invalidate()
    withExtendedLifetime(listener) {}
    store.close()
  }
}
