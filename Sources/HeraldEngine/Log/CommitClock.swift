import HeraldModel
import Synchronization

/// The times of commits: those of the system's clock, but never before the last one, unless the clock was set back by more
/// than a minute. So versions are in the order of their times.
final class CommitClock: Sendable {
  /// In seconds.
  private static let longestWait = 60
  private let last = Mutex<Timestamp?>(nil)

  /// Returns the time of a commit that is made now, as the system's clock has it.
  func next(at now: Timestamp = .now) -> Timestamp {
    last.withLock { last in
      if let previous = last, now < previous, previous.seconds - now.seconds <= Self.longestWait {
        return previous
      }
      last = now
      return now
    }
  }
}
