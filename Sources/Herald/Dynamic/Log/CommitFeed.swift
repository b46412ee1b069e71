import HeraldEngine

/// Reads the commits after a version, in order and each once, up to the version that its session is at.
///
/// Of commits that lie behind, half are read first, by undoing the other half at once, and so on: O(changes ·
/// log commits). The reader of such commits holds the version at which it began with them.
package final class CommitFeed {
  private let store: DynamicStore
  /// The version of the last commit that was returned.
  package private(set) var version: Int
  /// Frozen at versions that are still to be reached, the next one last.
  private var milestones: [Session] = []

  /// Begins after a version.
  ///
  /// Errors: `noSuchVersion`, `versionNotKept`.
  package init(_ store: DynamicStore, since version: Int) throws {
    self.store = store
    self.version = version
    try store.session.checkKept(version)
  }

  /// Returns the next commit; nil if there is none up to the session's version.
  ///
  /// Errors: `versionNotKept` if the log was trimmed before the commit was read.
  package func next() throws -> CommitVersions? {
    let session = store.session
    if milestones.isEmpty {
      guard store.version > version else { return nil }
      milestones.append(try session.freeze())
    }
    while let next = milestones.last, next.version > version + 1 {
      let middle = version + (next.version - version) / 2
      milestones.append(try session.earlier(middle, than: next))
    }
    guard let after = milestones.popLast() else { return nil }
    let commit = try session.loggedCommit(after.version)
    let before = try session.earlier(version, than: after)
    version = after.version
    return store.versions(of: commit, after: after, before: before)
  }
}
