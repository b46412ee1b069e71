extension HeraldError {
  /// Whether what an observer was told can no longer be kept up to date after this error.
  package var endsObservers: Bool {
    if case .damaged = self { return true }
    if case .storeReplaced = self { return true }
    if case .storeRemoved = self { return true }
    if case .lockReplaced = self { return true }
    if case .lockRemoved = self { return true }
    if case .logTrimmed = self { return true }
    return false
  }

  /// What an observer's last event says: what became of the store, without what to do about it.
  package var eventMessage: String {
    if case .storeReplaced = self { return "the store was replaced" }
    if case .storeRemoved = self { return "the store was removed" }
    if case .lockReplaced = self { return "the lock file of the store was replaced" }
    if case .lockRemoved = self { return "the lock file of the store was removed" }
    return message
  }
}
