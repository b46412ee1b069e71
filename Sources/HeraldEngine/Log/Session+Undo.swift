import HeraldModel
import HeraldObservation
import HeraldQuery
import HeraldStorage

extension Session {
  /// Undoes the commit of a version, or, with nil, the last one that is not undone yet, in a commit of its own
  /// that observers are notified of like of any other; returns the version that was undone.
  ///
  /// Errors: `nothingToUndo`; `cannotUndo`, with the objects that keep the commit from being undone;
  /// `noSuchVersion`, `versionNotKept`; those of a write.
  @discardableResult
  package func undo(_ version: Int? = nil) throws -> Int {
    try write(body: { write in
      let undone = try version ?? lastCommitToUndo()
      try revert(undone, .undo(undone), write)
      return undone
    })
  }

  /// Takes back the last undo, unless something else was committed since; returns the version of that undo.
  ///
  /// Errors: those of `undo`.
  @discardableResult
  package func redo() throws -> Int {
    try write(body: { write in
      let undo = try lastUndo()
      try revert(undo, .redo(undo), write)
      return undo
    })
  }

  private func write(body: (OpenWrite) throws -> Int) throws -> Int {
    guard writing.isNone else { throw HeraldError.writeInProgress }
    return try write { try body(openWrite()) }
  }

  // MARK: What is next

  /// Returns the last commit that is neither an undo nor undone.
  private func lastCommitToUndo() throws -> Int {
    var reverted: Set<Int> = []
    return try lastCommit(isRedo: false) { version, reversal in
      if reverted.contains(version) { return false }
      guard case .undo(let undone)? = reversal else { return true }
      reverted.insert(undone)
      return false
    }
  }

  /// Returns the last undo that was not redone, if only undos and redos followed it.
  private func lastUndo() throws -> Int {
    var reverted: Set<Int> = []
    return try lastCommit(isRedo: true) { version, reversal in
      switch reversal {
      case .undo(let undone)?:
        if !reverted.contains(version) { return true }
        reverted.insert(undone)
      case .redo(let undo)?: reverted.insert(undo)
      case nil: if !reverted.contains(version) { throw HeraldError.nothingToUndo(isRedo: true) }
      }
      return false
    }
  }

  /// Returns the last commit for which `isWanted` returns true.
  private func lastCommit(
    isRedo: Bool, _ isWanted: (Int, CommitInfo.Reversal?) throws -> Bool
  ) throws -> Int {
    var candidate = version
    while candidate > 0 {
      let reversal = try loggedInfo(candidate).reversal
      if try isWanted(candidate, reversal) { return candidate }
      candidate -= 1
    }
    throw HeraldError.nothingToUndo(isRedo: isRedo)
  }

  // MARK: Reverting

  /// Reverts a commit in the open write.
  private func revert(
    _ target: Int, _ reversal: CommitInfo.Reversal, _ write: OpenWrite
  ) throws {
    let record = try loggedCommit(target).record
    if record.schemaChanged {
      throw HeraldError.cannotUndo(
        version: target, reason: "a change of classes cannot be undone", objects: [])
    }
    let later = try commits(after: target)
    if later.contains(where: { $0.info.reversal == .undo(target) && $0.isEffective }) {
      throw HeraldError.cannotUndo(version: target, reason: "it is undone already", objects: [])
    }
    var undone = MergedCommits()
    try undone.append(record)
    for commit in later { try undone.append(commit.record) }
    let before = undone.reader(over: standing)
    let conflicts = UndoConflicts(
      record, before: before, now: write.reader, later.filter(\.isEffective).map(\.record))
    if let (kind, objects) = conflicts.first() {
      throw HeraldError.cannotUndo(
        version: target, reason: kind.reason,
        objects: objects.map { object in
          let name = name(of: object, conflicts)
          return switch (kind, conflicts.version(of: kind, object)) {
          case (.takingKey, let version?): "\(name) (added by version \(version))"
          case (.deletedTarget, let version?): "\(name) (deleted by version \(version))"
          case (.changed, _), (.altered, _), (.linking, _), (_, nil): name
          }
        })
    }
    try stored { () throws(StorageError) in
      try write.revert(record, before: before)
    }
    write.reversal = reversal
    try endStatement()
  }

  private func name(of object: ObjectID, _ conflicts: UndoConflicts) -> String {
    guard let classSchema = schema.classSchema(object.classID) else {
      return "number \(object.number) of a dropped class"
    }
    let key = conflicts.key(of: object, classSchema)
    return key.isNull ? name(of: object) : "\(classSchema.name)#\(key.described(in: schema))"
  }

  /// A commit after the one that is reverted; `isEffective` is false for one that is undone, and for its undo.
  private struct LaterCommit {
    let info: CommitInfo
    let record: CommitRecord
    var isEffective = true
  }

  private func commits(after target: Int) throws -> [LaterCommit] {
    guard target < version else { return [] }
    var commits: [LaterCommit] = []
    for later in target + 1...version {
      let commit = try loggedCommit(later)
      commits.append(LaterCommit(info: commit.info, record: commit.record))
    }
    // From the last one on: an undo that was redone has no effect itself.
    for index in commits.indices.reversed() where commits[index].isEffective {
      guard let reverted = commits[index].info.reversal?.version, reverted > target else {
        continue
      }
      commits[index].isEffective = false
      commits[reverted - target - 1].isEffective = false
    }
    return commits
  }
}
