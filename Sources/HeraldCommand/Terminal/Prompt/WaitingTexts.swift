/// What is to be shown above the half-typed line: what comes close together is shown as one, so that
/// a burst redraws the line at most 30 times a second.
struct WaitingTexts {
  private var text = ""
  /// Turns are to be taken, which may tell something.
  var isTurnDue = false
  private var lastShown: ContinuousClock.Instant?

  static let interval = Duration.milliseconds(34)

  mutating func add(_ more: String) {
    text += more
    if !more.isEmpty, !more.hasSuffix("\n") { text += "\n" }
  }

  /// How long to wait, in milliseconds, before what waits may be shown: 0 for not at all, -1 for
  /// ever, as nothing waits.
  func delay(at now: ContinuousClock.Instant) -> Int32 {
    guard isTurnDue || !text.isEmpty else { return -1 }
    guard let lastShown else { return 0 }
    let left = Self.interval - (now - lastShown)
    return left <= .zero ? 0 : Int32(left / .milliseconds(1)) + 1
  }

  /// False when no turn is due.
  mutating func takeTurn() -> Bool {
    defer { isTurnDue = false }
    return isTurnDue
  }

  /// What waits, as one text of whole lines; nil when nothing does.
  mutating func take() -> String? {
    guard !text.isEmpty else { return nil }
    defer { text = "" }
    return EventDigest.text(of: text)
  }

  mutating func wereShown(at now: ContinuousClock.Instant) { lastShown = now }
}
