internal import Synchronization

/// The object numbers that rolled-back writes of this process gave out.
///
/// A program may hold such a number, as a handle or as a link. The next write that creates an object
/// of the class continues above it, so that no other object ever has it. Safe to use from any thread.
final class GivenNumbers: Sendable {
  private let nextNumbers = Mutex<[UInt32: Int]>([:])

  /// The smallest number that the next object of a class may get. O(1).
  func next(of classID: UInt32) -> Int { nextNumbers.withLock { $0[classID] ?? 1 } }

  /// Remembers the numbers that a write gave out which is not committed. O(classes it touched).
  func keep(_ classes: [UInt32: PendingClass]) {
    nextNumbers.withLock { next in
      for (classID, pending) in classes where pending.hasCreated {
        next[classID] = max(next[classID] ?? 1, pending.record.next)
      }
    }
  }

  /// Forgets what a commit has stored. O(classes it touched).
  func forget(_ classes: [UInt32: PendingClass]) {
    nextNumbers.withLock { next in
      guard !next.isEmpty else { return }
      for (classID, pending) in classes where pending.isForgotten || pending.hasCreated {
        next[classID] = nil
      }
    }
  }
}
