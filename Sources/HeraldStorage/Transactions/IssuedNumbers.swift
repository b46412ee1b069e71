internal import Synchronization

/// The object numbers that rolled-back writes of this process issued.
///
/// A program may hold such a number, as a handle or as a link. The next write that creates an
/// object of the class continues above it, so that no other object ever gets it. Safe to use from any thread.
final class IssuedNumbers: Sendable {
  private let nextNumbers = Mutex<[UInt32: Int]>([:])

  /// The smallest number that the next object of a class may get. O(1).
  func next(of classID: UInt32) -> Int { nextNumbers.withLock { $0[classID] ?? 1 } }

  /// Keeps the numbers that an uncommitted write issued. O(classes it changed).
  func keep(_ classes: [UInt32: PendingClass]) {
    nextNumbers.withLock { next in
      for (classID, pending) in classes where pending.hasCreated {
        next[classID] = max(next[classID] ?? 1, pending.record.next)
      }
    }
  }

  /// Drops the numbers that a commit has stored, unless a write that began later has issued higher ones. O(classes it
  /// changed).
  func forget(_ classes: [UInt32: PendingClass]) {
    nextNumbers.withLock { next in
      guard !next.isEmpty else { return }
      for (classID, pending) in classes where pending.isDropped || pending.hasCreated {
        if let known = next[classID], pending.isDropped || known <= pending.record.next {
          next[classID] = nil
        }
      }
    }
  }
}
