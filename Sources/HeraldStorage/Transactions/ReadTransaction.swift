/// A snapshot of the store, which no commit changes.
///
///     let read = try environment.beginRead()
///     let age = read.integer(ages, 7)
///     try read.renew()
///
/// It keeps the pages of its version from being used again, so it should not stay for long. To be
/// used by one thread at a time.
package struct ReadTransaction: ~Copyable, StorageReader {
  package let snapshot: StorageSnapshot

  init(_ snapshot: StorageSnapshot) { self.snapshot = snapshot }

  deinit { snapshot.end() }

  /// The number of the commit that this snapshot shows; 0 for a new store.
  package var version: Int { snapshot.state.version }

  /// Lets the pages of its version be used again. Until it is renewed every read fails.
  package func release() { snapshot.release() }

  /// Moves to the newest version; some ten nanoseconds where that is this one.
  package func renew() throws(StorageError) { try snapshot.renew() }
}
