/// The changes of one commit: all of them are applied, or, if it ends in any other way, none.
///
///     let write = try environment.beginWrite()
///     let dog = try write.create(dogs)
///     try write.setInteger(ages, dog, 3)
///     let version = try write.commit()
///
/// To be used and ended on the thread that began it; once ended, it refuses every change. After a
/// failed change every other fails too, and nothing is committed. Its memory grows with the number
/// of changed blocks, up to a limit.
package struct WriteTransaction: ~Copyable, StorageReader {
  package let snapshot: StorageSnapshot
  private let changes: WriteBuffer

  init(_ snapshot: StorageSnapshot) throws(StorageError) {
    self.snapshot = snapshot
    changes = snapshot.pending ?? WriteBuffer()
    _ = snapshot.state
    if let failure = snapshot.failure { throw failure }
  }

  deinit { snapshot.end() }

  /// The version that this transaction began at.
  package var version: Int { snapshot.state.version }
  /// The version that the commit creates.
  package var nextVersion: Int { version + 1 }

  /// Commits the changes as the newest version and returns its number. On disk, durable on return.
  /// `keepsLock`: writers of other processes wait until `releaseWriterLock`.
  package borrowing func commit(keepsLock: Bool = false) throws(StorageError) -> Int {
    try snapshot.checkFailure()
    let version = nextVersion
    try snapshot.flushDrafts(changes)
    try snapshot.flushClasses(changes)
    try snapshot.flushLists(changes)
    try snapshot.flushIndexes(changes)
    try snapshot.flushState(changes)
    if let failure = snapshot.failure { throw failure }
    try snapshot.commit(version: version, keepsLock: keepsLock)
    return version
  }

  /// Drops every change.
  package borrowing func abort() { snapshot.end() }
}

extension WriteTransaction {
  /// Creates an object and returns its number, which is the class's next, from 1, and never reused.
  package func create(_ classID: UInt32) throws(StorageError) -> Int {
    try snapshot.create(changes, classID)
  }

  /// Deletes an object and sets its values to nil. The caller removes its lists, the links to and
  /// from it and its index entries first.
  package func delete(_ classID: UInt32, _ number: Int) throws(StorageError) {
    try snapshot.delete(changes, classID, number)
  }

  package func setInteger(
    _ column: ColumnID, _ number: Int, _ value: Int?
  ) throws(StorageError) {
    try snapshot.setWord(changes, column, .integers, number, value)
  }

  package func setDouble(
    _ column: ColumnID, _ number: Int, _ value: Double?
  ) throws(StorageError) {
    let word = value.map { Int(bitPattern: UInt($0.bitPattern)) }
    try snapshot.setWord(changes, column, .doubles, number, word)
  }

  /// Sets the bytes of a string or of data, at most 2 GiB less one.
  package func setBytes(
    _ column: ColumnID, _ number: Int, _ bytes: UnsafeRawBufferPointer?
  ) throws(StorageError) {
    try snapshot.setBytes(changes, column, number, bytes)
  }

  package func set(
    _ column: ColumnID, _ kind: ColumnKind, _ number: Int, _ value: StoredValue
  ) throws(StorageError) {
    try snapshot.set(changes, column, kind, number, value)
  }
}

extension WriteTransaction {
  /// Deletes the rest of a block whose values are all nil, so that it may hold another kind.
  package func dropBlock(_ column: ColumnID, _ block: Int) throws(StorageError) {
    try snapshot.dropBlock(changes, column, block)
  }

  /// Deletes the rest of a class without objects; its numbers may then be reused.
  package func dropClass(_ classID: UInt32) throws(StorageError) {
    try snapshot.dropClass(changes, classID)
  }
}

extension WriteTransaction {
  /// Inserts an element before the one at `position`, or at the end.
  package func insert(
    _ value: StoredValue, into list: ListID, _ kind: ColumnKind, at position: Int
  ) throws(StorageError) {
    let pending = try snapshot.pendingList(changes, list)
    pending.take(kind)
    try pending.insert(value, at: position)
  }

  /// Removes and returns an element.
  @discardableResult
  package func remove(
    from list: ListID, at position: Int
  ) throws(StorageError) -> StoredValue {
    try snapshot.pendingList(changes, list).remove(at: position)
  }

  package func replace(
    in list: ListID, at position: Int, with value: StoredValue
  ) throws(StorageError) {
    try snapshot.pendingList(changes, list).replace(at: position, with: value)
  }

  /// Removes the element at `origin` and inserts it so that it ends up at `target`.
  package func move(
    in list: ListID, from origin: Int, to target: Int
  ) throws(StorageError) {
    let pending = try snapshot.pendingList(changes, list)
    precondition(target >= 0 && target < pending.count, "a position outside the list")
    let value = try pending.remove(at: origin)
    try pending.insert(value, at: target)
  }

  package func clear(_ list: ListID) throws(StorageError) {
    try snapshot.pendingList(changes, list).removeAll()
  }

  /// Replaces all elements with `values`.
  package func assign(
    _ list: ListID, _ kind: ColumnKind, _ values: [StoredValue]
  ) throws(StorageError) {
    let pending = try snapshot.pendingList(changes, list)
    pending.removeAll()
    pending.take(kind)
    for value in values { try pending.insert(value, at: pending.count) }
  }
}

extension WriteTransaction {
  /// Counts one more link from an object to another through a link or list property.
  package func addLink(
    from origin: Int, through column: ColumnID, toClass targetClass: UInt32, number: Int
  ) throws(StorageError) {
    try snapshot.addLink(from: origin, through: column, toClass: targetClass, number: number)
  }

  /// Counts one link fewer; throws `damaged` when none was counted.
  package func removeLink(
    from origin: Int, through column: ColumnID, toClass targetClass: UInt32, number: Int
  ) throws(StorageError) {
    try snapshot.removeLink(from: origin, through: column, toClass: targetClass, number: number)
  }

  package func addToIndex(
    _ column: ColumnID, _ value: StoredValue, _ number: Int
  ) throws(StorageError) {
    try snapshot.addToIndex(changes, column, value, number)
  }

  /// Removes an entry from the index; throws `damaged` if it is not there.
  package func removeFromIndex(
    _ column: ColumnID, _ value: StoredValue, _ number: Int
  ) throws(StorageError) {
    try snapshot.removeFromIndex(changes, column, value, number)
  }

  /// Stores bytes under a name of at most 500 bytes.
  package func setMetadata(_ name: String, _ bytes: [UInt8]) throws(StorageError) {
    try snapshot.setMetadata(name, bytes)
  }

  /// Stores an entry in the change log for the version that this commit creates.
  ///
  /// The log keeps the last entries, up to 16 MiB.
  package func setLogEntry(_ bytes: [UInt8]) { changes.logEntry = bytes }
}
