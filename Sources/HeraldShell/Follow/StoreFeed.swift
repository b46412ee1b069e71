import Herald

/// What a `follow store` prints.
final class StoreFeed {
  /// The largest number of objects in a line of a snapshot.
  static let objectsInLine = 256

  let commits: CommitFeed
  let cursor: CursorFile?
  let beginsWithSnapshot: Bool
  /// What to do if the log was trimmed before the next commit was read.
  private let advice: String

  init(commits: CommitFeed, cursor: CursorFile?, beginsWithSnapshot: Bool, advice: String) {
    self.commits = commits
    self.cursor = cursor
    self.beginsWithSnapshot = beginsWithSnapshot
    self.advice = advice
  }

  /// Returns what to say of an error that means that the next commit is not kept; nil for others.
  func diagnostic(of error: HeraldError, _ store: DynamicStore) -> Diagnostic? {
    var isTrimmed = false
    if case .logTrimmed = error { isTrimmed = true }
    if case .versionNotKept = error { isTrimmed = true }
    guard isTrimmed else { return nil }
    let oldest = (try? store.oldestVersion) ?? commits.version + 1
    return .feedNotKept(commits.version, oldest: oldest, advice: advice)
  }
}
