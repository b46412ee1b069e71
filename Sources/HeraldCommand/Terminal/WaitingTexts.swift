/// Texts to show above the half-typed line: those that come close together are shown as one, so
/// that a burst redraws the line at most 30 times a second.
struct WaitingTexts {
  private var texts: [String] = []
  private var lastShown: ContinuousClock.Instant?

  static let interval = Duration.milliseconds(34)
  /// So many lines are shown at once; more are only counted.
  static let lineLimit = 200

  mutating func add(_ text: String) { texts.append(text) }

  /// How long to wait, in milliseconds, before what waits may be shown: 0 for not at all, -1 for
  /// ever, as nothing waits.
  func delay(at now: ContinuousClock.Instant) -> Int32 {
    guard !texts.isEmpty else { return -1 }
    guard let lastShown else { return 0 }
    let left = Self.interval - (now - lastShown)
    return left <= .zero ? 0 : Int32(left / .milliseconds(1)) + 1
  }

  /// What waits, as one text; nil when nothing does.
  mutating func take() -> String? {
    guard !texts.isEmpty else { return nil }
    let lines = texts.flatMap { $0.split(separator: "\n", omittingEmptySubsequences: true) }
    texts = []
    guard lines.count > Self.lineLimit else { return lines.joined(separator: "\n") }
    return lines.prefix(Self.lineLimit).joined(separator: "\n")
      + "\n… and \(lines.count - Self.lineLimit) lines more"
  }

  mutating func wereShown(at now: ContinuousClock.Instant) { lastShown = now }
}
