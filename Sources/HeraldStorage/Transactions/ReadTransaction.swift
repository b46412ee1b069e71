/// A snapshot of the store, which no commit changes.
///
///     let read = try environment.beginRead()
///     let age = read.integer(ages, 7)
///     try read.renew()
///
/// It prevents the pages of its version from being reused, so it should be short-lived. To be used
/// by one thread at a time.
package struct ReadTransaction: ~Copyable, StorageReader {
  package let snapshot: StorageSnapshot

  init(_ snapshot: StorageSnapshot) { self.snapshot = snapshot }

  deinit { snapshot.end() }

  /// The number of the commit that this snapshot shows; 0 for a new store.
  package var version: Int { snapshot.state.version }

  /// Allows the pages of its version to be reused. Every read fails until it is renewed.
  package func release() { snapshot.release() }

  /// Moves to the newest version; some ten nanoseconds if it is there already.
  package func renew() throws(StorageError) { try snapshot.renew() }
}
