/// Records what an observer on an actor receives, and waits for it.
actor ChangeRecorder {
  private var records: [String] = []
  private var waiting: (count: Int, continuation: CheckedContinuation<Void, Never>)?

  func record(_ text: String) {
    records.append(text)
    if let waiting, records.count >= waiting.count {
      self.waiting = nil
      waiting.continuation.resume()
    }
  }

  /// Waits for the first `count` records, and returns all there are then.
  func received(_ count: Int) async -> [String] {
    if records.count < count {
      await withCheckedContinuation { waiting = (count, $0) }
    }
    return records
  }
}
