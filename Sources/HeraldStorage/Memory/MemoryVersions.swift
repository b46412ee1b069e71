internal import Synchronization

/// The versions of a store in memory, and how many snapshots read it.
///
/// Most commits are transactions of LMDB, whose numbers count versions. A commit of few changes, while no
/// snapshot but the writer's exists, changes the records in place instead, and counts one version more.
///
/// Safe to use from any thread; without effect where it is not used, for a file.
final class MemoryVersions: Sendable {
  private struct State {
    /// The number of snapshots.
    var count = 0
    /// The newest transaction of LMDB that is known here.
    var transaction: UInt64 = 0
    /// The entries that commits in place after that transaction have added to indexes.
    var memtable: IndexMemtable?
  }

  private let isUsed: Bool
  /// Held while a commit changes records in place, so that no snapshot begins meanwhile.
  private let snapshots = Mutex(State())
  private let inPlace = Atomic(0)
  private let newestVersion = Atomic(0)

  init(isUsed: Bool) { self.isUsed = isUsed }

  /// The newest version.
  var newest: Int { newestVersion.load(ordering: .acquiring) }

  /// The number of versions without a transaction of LMDB: the same for every snapshot, since it changes only while
  /// there is one.
  var commitsInPlace: Int { inPlace.load(ordering: .relaxed) }

  /// Notes a version that LMDB has committed as a transaction, which has put the entries of the memtable into the tree.
  func note(_ version: Int, _ transaction: UInt64) {
    snapshots.withLock { snapshots in
      snapshots.transaction = transaction
      snapshots.memtable = nil
    }
    newestVersion.store(version, ordering: .releasing)
  }

  /// Counts a snapshot that is about to begin.
  func enter() { if isUsed { snapshots.withLock { $0.count += 1 } } }

  /// Counts a snapshot that has ended, or has released its version.
  func leave() { if isUsed { snapshots.withLock { $0.count -= 1 } } }

  /// Passes on the entries that a reader of a transaction finds in no tree; returns false if the transaction is not the
  /// newest any more.
  func take(_ memtable: inout IndexMemtable?, of transaction: UInt64) -> Bool {
    guard isUsed else { return true }
    return snapshots.withLock { snapshots in
      guard transaction >= snapshots.transaction else { return false }
      // LMDB may have committed a transaction that is not noted yet.
      memtable = transaction == snapshots.transaction ? snapshots.memtable : nil
      return true
    }
  }

  /// Runs `change` and makes that a version, if the caller's snapshot, of `transaction`, is the only one; returns
  /// whether it is.
  func commitInPlace(
    _ version: Int, of transaction: UInt64, _ change: (inout IndexMemtable?) -> Void
  ) -> Bool {
    snapshots.withLock { snapshots in
      guard isUsed, snapshots.count == 1, transaction >= snapshots.transaction else { return false }
      if transaction > snapshots.transaction {
        snapshots.transaction = transaction
        snapshots.memtable = nil
      }
      change(&snapshots.memtable)
      inPlace.add(1, ordering: .relaxed)
      newestVersion.store(version, ordering: .releasing)
      return true
    }
  }
}
