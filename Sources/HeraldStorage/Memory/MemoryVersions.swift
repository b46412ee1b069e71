internal import Synchronization

/// The versions of a store in memory, and how many snapshots read it.
///
/// Most commits are transactions of LMDB, whose numbers count versions. A commit that only replaces values, while no
/// snapshot but the writer's exists, changes them in place instead, and counts one version more.
///
/// Safe to use from any thread; without effect where it is not used, for a file.
final class MemoryVersions: Sendable {
  private let isUsed: Bool
  /// The number of snapshots. Held while a commit changes values in place, so that no snapshot begins meanwhile.
  private let snapshots = Mutex(0)
  private let inPlace = Atomic(0)
  private let newestVersion = Atomic(0)

  init(isUsed: Bool) { self.isUsed = isUsed }

  /// The newest version.
  var newest: Int { newestVersion.load(ordering: .acquiring) }

  /// The number of versions without a transaction of LMDB: the same for every snapshot, since it changes only while
  /// there is one.
  var commitsInPlace: Int { inPlace.load(ordering: .relaxed) }

  /// Notes a version that LMDB has committed.
  func note(_ version: Int) { newestVersion.store(version, ordering: .releasing) }

  /// Counts a snapshot that is about to begin.
  func enter() { if isUsed { snapshots.withLock { $0 += 1 } } }

  /// Counts a snapshot that has ended, or has released its version.
  func leave() { if isUsed { snapshots.withLock { $0 -= 1 } } }

  /// Runs `change` and makes that a version, if the caller's snapshot is the only one; returns whether it is.
  func commitInPlace(_ version: Int, _ change: () -> Void) -> Bool {
    snapshots.withLock { snapshots in
      guard isUsed, snapshots == 1 else { return false }
      change()
      inPlace.add(1, ordering: .relaxed)
      newestVersion.store(version, ordering: .releasing)
      return true
    }
  }
}
