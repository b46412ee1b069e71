import Dispatch
import Foundation
import Synchronization

/// Runs the main queue until what is queued now, and what that queues in turn, has run.
public func settle() {
  for _ in 0..<8 {
    let end = End()
    DispatchQueue.main.async { end.isReached.store(true, ordering: .relaxed) }
    run { end.isReached.load(ordering: .relaxed) }
  }
}

/// Runs the main queue until a condition is true, for ten seconds at most.
public func settle(until condition: () -> Bool) {
  run(until: condition)
  settle()
}

private func run(until condition: () -> Bool) {
  let deadline = Date(timeIntervalSinceNow: 10)
  while !condition() {
    if Date() > deadline { fatalError("nothing happened for ten seconds") }
    _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.005))
  }
}

private final class End: Sendable { let isReached = Atomic(false) }
