import HeraldEngine
public import HeraldModel
public import HeraldObservation

// The log of commits: what they changed, earlier versions, and undo.

extension Store {
  /// The last commits, newest first.
  ///
  ///     for commit in try store.log(20, of: Dog.self) { print(commit.version, commit.time, commit.message ?? "") }
  ///
  /// - Parameters:
  ///   - count: The largest number of commits.
  ///   - type: The class of which a commit must have changed objects; nil for any.
  ///
  /// Errors: `SchemaError`, `closed`.
  public func log(_ count: Int = 10, of type: ObjectBase.Type? = nil) throws -> [CommitSummary] {
    core.checkOwner()
    return try core.dynamic.log(count, of: type.map { try core.binding(of: $0).table.className })
  }

  /// One commit with its changes, by the names of classes and properties. Errors: `noSuchVersion`,
  /// `versionNotKept`, `closed`.
  public func commit(_ version: Int) throws -> Commit {
    core.checkOwner()
    return try core.dynamic.commit(version)
  }

  /// The commits after a version: those that the log has, and then every new one. `since` 0 begins with the first.
  ///
  ///     for try await commit in store.commits(since: store.version) { print(commit.version, commit.changes.count) }
  public func commits(since version: Int) -> CommitSequence {
    core.dynamic.commits(since: version)
  }

  /// The store at an earlier version, which every thread can read.
  ///
  ///     let before = try store.frozen(at: store.version - 1)
  ///     print(before.objects(Dog.self).count)
  ///
  /// A class that the version lacks has no objects; a property that it lacks, or had with another type, reads as nil, or
  /// as zero, false or empty where its type is not optional. A query cannot name it: `query` throws, and `where` stops the
  /// program. `thaw` returns what is left of an object of it. O(changes since then).
  ///
  /// Errors: `noSuchVersion`; `versionNotKept`, which names the oldest version; `closed`.
  public func frozen(at version: Int) throws -> Store {
    core.checkOwner()
    let dynamic = try core.dynamic.frozen(at: version)
    if dynamic.session === core.session { return self }
    let past = StoreCore(dynamic, .everyone())
    past.origin = core
    return past.facade
  }

  /// The last version that was committed at a time or before. Errors: `timeNotKept`, `closed`.
  public func version(at time: Timestamp) throws -> Int {
    core.checkOwner()
    return try core.dynamic.version(at: time)
  }

  /// The oldest version that can be read. Errors: `closed`.
  public var oldestVersion: Int { get throws { try core.dynamic.oldestVersion } }

  /// What changed in results between two frozen versions of the store, compared end to end. Modifications are those of the
  /// objects' own properties.
  ///
  ///     let (old, new) = (try store.frozen(at: 41), try store.frozen(at: 44))
  ///     let changes = try store.difference(from: old.objects(Dog.self), to: new.objects(Dog.self))
  ///
  /// Errors: `versionNotKept`, `closed`, and those of the queries; `QueryArgumentError` for
  /// values.
  public func difference<Element>(
    from old: Results<Element>, to new: Results<Element>
  ) throws -> ChangeSet {
    core.checkOwner()
    guard let old = old.query, let new = new.query else {
      throw QueryArgumentError("values of a collection cannot be compared between versions")
    }
    return try core.dynamic.difference(from: old.dynamic, to: new.dynamic)
  }

  /// How much of its log the store keeps. Errors: `closed`.
  public var logRetention: LogRetention { get throws { try core.dynamic.logRetention } }

  /// Sets how much of its log the store keeps, for all programs. It makes no version. Errors: `writeInProgress` in a
  /// transaction, `writerBusy`, `readOnly`, `frozen`, `closed`.
  public func keepLog(_ retention: LogRetention) throws {
    core.checkOwner()
    try core.dynamic.keepLog(retention)
  }

  /// Undoes a commit in a commit of its own, of which observers are notified as of any other; returns the version
  /// that was undone. Errors: `nothingToUndo`; `cannotUndo` for a change of classes, and where later commits keep it from
  /// being undone, with the reason and the names of the objects; `versionNotKept`; those of `write`.
  ///
  /// - Parameter version: The version that the commit made; nil for the last one that is not undone yet.
  @discardableResult
  public func undo(_ version: Int? = nil) throws -> Int {
    core.checkOwner()
    return try core.dynamic.undo(version)
  }

  /// Takes back the last undo, unless another commit came after it; returns the version of that undo. Errors: those of
  /// `undo`.
  @discardableResult
  public func redo() throws -> Int {
    core.checkOwner()
    return try core.dynamic.redo()
  }
}
