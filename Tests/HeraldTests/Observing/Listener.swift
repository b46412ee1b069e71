/// What an actor was told, and how to wait for it.
actor Listener {
  private var told: [String] = []
  private var waiting: (count: Int, continuation: CheckedContinuation<Void, Never>)?

  func hear(_ text: String) {
    told.append(text)
    if let waiting, told.count >= waiting.count {
      self.waiting = nil
      waiting.continuation.resume()
    }
  }

  /// The first so many, once they have come.
  func hears(_ count: Int) async -> [String] {
    if told.count < count {
      await withCheckedContinuation { waiting = (count, $0) }
    }
    return told
  }
}
