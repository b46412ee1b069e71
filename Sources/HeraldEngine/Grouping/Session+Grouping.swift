import Dispatch
import HeraldModel
import HeraldObservation
import HeraldStorage

// Commits of several sessions of one process can share one sync (`CommitGroup`). Every session can lead a group, but a
// write joins one only if its session has no observers: these must not learn of commits that are not durable yet.

extension Session {
  /// Whether a write that begins now may join a group.
  func mayJoin(byHand: Bool) -> Bool {
    writing.isBrief && !byHand && observatory.isEmpty && position.isLive && !delivery.isInBlock
      && !hub.environment.isInMemory && !hub.isAlone
  }

  /// Begins a write in a group; returns false if that is not possible, and the group was committed. The session has the
  /// writer lock in either case.
  func join(_ group: CommitGroup) throws -> Bool {
    if group.hub === hub {
      if version != group.base { try advance() }
      if version == group.base, let reader = StorageSnapshot(joining: group.shared) {
        open(in: group, reader)
        return true
      }
    }
    // Whoever is in the group throws its error.
    try? hub.writer.end(group, .othersHoldLock)
    return false
  }

  private func open(in group: CommitGroup, _ reader: StorageSnapshot) {
    let before = position.reader
    position.join(with: TransactionReader(reader, layout: before.layout))
    let transaction = WriteTransaction(joining: reader) { [unowned self] () throws(StorageError) in
      try leaveGroup()
    }
    if hub.hasReplicator { transaction.capture() }
    let write = OpenWrite(transaction, layout: before.layout, observatory, of: self)
    write.lock = .heldInGroup(group)
    writing.open(write, inGroupAfter: before)
  }

  /// Has the group of the open write committed, so that the write continues in a transaction of its own. If the group
  /// fails, the write does, with its error.
  private func leaveGroup() throws(StorageError) {
    guard let write = writing.open, let group = write.group else { return }
    write.lock = .held
    do {
      try hub.writer.end(group, .memberContinues)
    } catch {
      writing.fail(error)
      throw .failed(operation: "commit", code: 0, reason: "\(error)")
    }
  }

  /// Has the group committed that the open write has joined, if any: what the write reads is not committed yet, and
  /// nobody can make a checkpoint.
  package func continueAlone() throws {
    guard let write = writing.open, write.group != nil else { return }
    try stored { () throws(StorageError) in try write.transaction.snapshot.beginOwn() }
  }

  /// Ends the open write, or the one that is beginning. If it has joined a group, the session has the reader of before
  /// again, or keeps the one that it has now, if the write has continued alone.
  func endWrite() {
    if case .openInGroup(_, before: let before) = writing.state {
      position.leaveGroup(to: before, in: hub)
    }
    writing.end()
  }

  /// Leaves the writer lock after a write that has ended without a commit.
  func leaveWriterLock(of write: OpenWrite) {
    switch write.lock {
    case .held: hub.writer.leave()
    case .heldInGroup(let group): hub.writer.pass(group)
    case .passedOn: break
    }
    write.lock = .passedOn
  }

  /// Commits the transaction of a write, alone or with others.
  func store(_ write: OpenWrite, _ commit: PreparedCommit) throws {
    var commit = commit
    if let group = write.group {
      if try joinCommit(of: write, in: group, commit) { return }
      // The group was committed, and is in the stream.
      if commit.position != nil { commit.position = try streamPosition(of: write) }
    }
    if mayLead(write), try lead(write, commit) { return }
    if let content = try stored({ () throws(StorageError) in try content(of: write, commit) }),
      let position = commit.position
    {
      try append([content], after: position, in: write.transaction)
    }
    // Publish the record first, so that whoever sees the version finds it.
    hub.publish(commit)
    do {
      // Keep the lock: nobody may commit before the session is at its own version.
      try stored { () throws(StorageError) in _ = try write.transaction.commit(keepsLock: true) }
    } catch {
      hub.withdraw(version: commit.record.firstVersion)
      throw error
    }
  }

  private func mayLead(_ write: OpenWrite) -> Bool {
    !hub.environment.isInMemory && !hub.isAlone && !write.schemaChange.isMade
      && hub.writer.expectsOthers && write.transaction.canBeShared
  }

  /// Commits a write together with those that join it; returns false, and does nothing, if it is too large for that.
  private func lead(_ write: OpenWrite, _ commit: PreparedCommit) throws -> Bool {
    var commit = commit
    let shared = try stored { () throws(StorageError) in
      commit.content = try content(of: write, commit)
      return try write.transaction.share()
    }
    guard let shared else { return false }
    let group = CommitGroup(shared, commit, hub)
    let ending = hub.writer.lead(group)
    if ending != .leaderHoldsLock { write.lock = .passedOn }
    let start = DispatchTime.now()
    do {
      try commitGroup(group, write, keepsLock: ending != .othersHoldLock)
    } catch {
      // The others may begin a transaction at once.
      write.transaction.abort()
      group.end(error)
      throw error
    }
    group.end()
    hub.writer.noteCommit(
      nanoseconds: Int(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds))
    return true
  }

  private func commitGroup(_ group: CommitGroup, _ write: OpenWrite, keepsLock: Bool) throws {
    let commits = group.commits
    if let position = commits[0].position {
      try append(commits.compactMap(\.content), after: position, in: write.transaction)
    }
    for commit in commits { hub.publish(commit) }
    do {
      try stored { () throws(StorageError) in
        try write.transaction.commit(group.shared, keepsLock: keepsLock)
      }
    } catch {
      for commit in commits.reversed() { hub.withdraw(version: commit.record.firstVersion) }
      throw error
    }
  }

  /// Adds a write's version to those of the group that it has joined, and waits until they are committed; returns false
  /// if the write has continued alone.
  private func joinCommit(
    of write: OpenWrite, in group: CommitGroup, _ commit: PreparedCommit
  ) throws -> Bool {
    var commit = commit
    let isShared = try stored { () throws(StorageError) in
      try write.transaction.commitShared { () throws(StorageError) in
        commit.content = try content(of: write, commit)
      }
    }
    guard isShared else { return false }
    group.add(commit)
    write.lock = .passedOn
    hub.writer.pass(group)
    do {
      try group.awaitEnd()
    } catch {
      write.transaction.endShared(isCommitted: false)
      throw error
    }
    write.transaction.endShared(isCommitted: true)
    return true
  }
}
