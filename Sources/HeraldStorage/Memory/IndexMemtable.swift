/// The entries that commits in place have added to the indexes of a store in memory, and that are not in the tree yet:
/// of integers, always sorted. The next transaction of LMDB puts them there.
///
/// `@unchecked Sendable`: it changes only under the lock of `MemoryVersions`, while a single snapshot exists; readers
/// of any thread change nothing.
package final class IndexMemtable: @unchecked Sendable {
  /// The number of entries of a column from which on a commit puts all of them into the tree: an entry is inserted
  /// among the others, which move.
  static let limit = 256

  /// One per column with entries.
  @exclusivity(unchecked) package private(set) var indexes: [PendingIndex] = []

  func index(_ column: ColumnID) -> PendingIndex? {
    for index in indexes where index.column.packed == column.packed { return index }
    return nil
  }

  /// Adds the entries that a write has added to one index.
  func insert(_ added: PendingIndex) {
    let known: PendingIndex
    if let index = index(added.column) {
      known = index
    } else {
      known = PendingIndex(added.column)
      indexes.append(known)
    }
    for entry in added.entries { known.insert(entry) }
  }
}

extension StorageSnapshot {
  /// Puts the entries of commits in place into the tree of this write's own transaction, which has just begun.
  func settleMemtable() throws(StorageError) {
    guard let settled = read.memtable.take() else { return }
    for index in settled.indexes {
      try put(index.entries, index.column)
      // The tree may now have larger keys than were found there.
      pending?.index(index.column)?.ceiling = nil
    }
  }

  /// The indexes of a column whose entries are in no tree: of commits in place, and of this write.
  @inline(__always)
  package func withAdded(_ column: ColumnID, _ body: (PendingIndex) -> Void) {
    if let index = memtable?.index(column) { body(index) }
    if let index = pending?.index(column) { body(index) }
  }
}
