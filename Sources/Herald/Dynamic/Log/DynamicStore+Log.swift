import HeraldEngine
package import HeraldModel
import HeraldObservation

extension DynamicStore {
  /// The last commits, newest first.
  ///
  ///     for commit in try store.log(20) { print(commit.version, commit.time, commit.message ?? "") }
  ///
  /// - Parameters:
  ///   - count: The largest number of commits.
  ///   - className: Of which class a commit must have changed objects; nil for all. It may be one that was dropped
  ///     since, as far as the log has it.
  ///
  /// Errors: `unknownClass`, `closed`. O(changes of the commits that are read).
  package func log(_ count: Int = 10, of className: String? = nil) throws -> [CommitSummary] {
    let present = className.flatMap { self.schema.classSchema(named: $0)?.id }
    var isKnown = present != nil
    let commits = try log(count) { record, schema, previous in
      guard let className else { return true }
      let classes = [present] + [schema, previous].map { $0.classSchema(named: className)?.id }
      isKnown = isKnown || classes.contains { $0 != nil }
      return classes.contains { $0.map { record.classes[$0] != nil } ?? false }
    }
    if let className, !isKnown { _ = try classSchema(className) }
    return commits
  }

  /// Returns the last commits that changed an object, or one that is embedded in it, newest first. The object may be deleted.
  /// If several objects had the key, one after the other, the commits are those of each.
  package func log(_ count: Int = 10, of className: String, key: Value) throws -> [CommitSummary] {
    let classSchema = try classSchema(className)
    var numbers: Set<ObjectNumber> = []
    if let object = try object(className, key: key) { numbers.insert(object.id.number) }
    if classSchema.primaryKey == nil, case .int(let number) = key { numbers.insert(number) }
    return try log(count) { record, schema, _ in
      if let change = record.classes[classSchema.id] {
        if classSchema.primaryKey != nil {
          for (number, deleted) in change.deleted where deleted.key == key {
            numbers.insert(number)
          }
        }
        if numbers.contains(where: change.touches) { return true }
      }
      guard !numbers.isEmpty,
        record.classes.keys.contains(where: { schema.classSchema($0)?.isEmbedded == true })
      else { return false }
      let past = try frozen(at: record.lastVersion)
      return !numbers.isDisjoint(
        with: record.owners(ofPartsIn: classSchema.id, past.session.reader))
    }
  }

  /// The last commits whose records `isWanted` returns true for, newest first.
  private func log(
    _ count: Int,
    where isWanted: (_ record: CommitRecord, _ schema: Schema, _ previous: Schema) throws -> Bool
  ) throws -> [CommitSummary] {
    let newest = version
    let oldest = try session.oldestLogVersion ?? newest + 1
    var commits: [CommitSummary] = []
    var candidate = newest
    var schema = self.schema
    while candidate >= oldest, commits.count < count {
      if session.interruption?.isRequested ?? false { throw HeraldError.interrupted }
      let commit = try session.loggedCommit(candidate)
      let previous = commit.record.previous?.difference.applied(to: schema) ?? schema
      if try isWanted(commit.record, schema, previous) {
        commits.append(summary(commit, schema, previous))
      }
      schema = previous
      candidate -= 1
    }
    return commits
  }

  /// One commit with its changes. O(changes of the commit and of those since).
  ///
  ///     for change in try store.commit(store.version).changes { print(change.label, change.change) }
  ///
  /// Errors: `noSuchVersion`, `versionNotKept`, `closed`.
  package func commit(_ version: Int) throws -> Commit { try Commit(commitVersions(version)) }

  /// A commit with the versions before and after it. O(changes since).
  ///
  /// Errors: `noSuchVersion`, `versionNotKept`, `closed`.
  package func commitVersions(_ version: Int) throws -> CommitVersions {
    let commit = try session.loggedCommit(version)
    let after = try session.freeze(at: version)
    return versions(of: commit, after: after, before: try session.earlier(version - 1, than: after))
  }

  func versions(
    of commit: LoggedCommit, after: Session, before: Session
  ) -> CommitVersions {
    let (after, before) = (DynamicStore(after, named: name), DynamicStore(before, named: name))
    return CommitVersions(
      summary(commit, after.schema, before.schema), commit.record, before: before, after: after)
  }

  /// The store at an earlier version, frozen: everything that can be read can be read there.
  ///
  ///     let yesterday = try store.frozen(at: store.version(at: Timestamp(seconds: then)))
  ///     print(try yesterday.objects("Dog").count)
  ///
  /// It needs no copy and holds no old pages of the file: it undoes, in what is read, what the commits since then
  /// have changed. O(changes since then); queries also use the indexes and blocks of the present for what is
  /// unchanged.
  ///
  /// Errors: `noSuchVersion`; `versionNotKept`, which names the oldest version; `closed`.
  package func frozen(at version: Int) throws -> DynamicStore {
    DynamicStore(try session.freeze(at: version), named: name)
  }

  /// The last version that was committed at a time or before. Errors: `timeNotKept`, `closed`.
  package func version(at time: Timestamp) throws -> Int { try session.version(at: time) }

  /// The oldest version that can be read. Errors: `closed`.
  package var oldestVersion: Int { get throws { try session.oldestVersion } }

  /// How much of its log the store keeps. Errors: `closed`.
  package var logRetention: LogRetention { get throws { try session.retention } }

  /// Sets how much of its log the store keeps, for all programs. It makes no version; the next commit removes what
  /// is too much.
  ///
  /// Errors: `writeInProgress` in a transaction, `writerBusy`, `readOnly`, `frozen`, `closed`.
  package func keepLog(_ retention: LogRetention) throws { try session.keep(retention) }

  /// Undoes a commit in a commit of its own, of which observers are notified as of any other; returns the version
  /// that was undone.
  ///
  /// - Parameter version: The version that the commit made; nil for the last one that is not undone yet, whichever
  ///   session made it, so that repeated calls go further back.
  ///
  /// Deleted objects get their numbers again. O(changes of the commit and of those since).
  ///
  /// Errors: `nothingToUndo`; `cannotUndo` for a change of classes, and where later commits keep it from being undone,
  /// with the reason and the names of the objects; `versionNotKept`; those of `write`.
  @discardableResult
  package func undo(_ version: Int? = nil) throws -> Int { try session.undo(version) }

  /// Takes back the last undo, in a commit of its own, unless another commit came after it; returns the version of
  /// that undo. Errors: `nothingToUndo`, and those of `undo`.
  @discardableResult
  package func redo() throws -> Int { try session.redo() }
}

extension ClassChange {
  /// Whether an object was created, deleted or modified.
  fileprivate func touches(_ number: ObjectNumber) -> Bool {
    created.contains(number) || deleted[number] != nil
      || properties.values.contains { $0.contains(number) }
  }
}
