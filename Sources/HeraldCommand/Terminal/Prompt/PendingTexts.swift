/// Texts to be shown above the half-typed line: those that arrive close together are shown as one, so that a
/// burst redraws the line at most 30 times a second.
struct PendingTexts {
  private var text = ""
  /// Whether turns are due, which may have output.
  var isTurnDue = false
  private var lastShown: ContinuousClock.Instant?

  static let interval = Duration.milliseconds(34)

  mutating func add(_ more: String) {
    text += more
    if !more.isEmpty, !more.hasSuffix("\n") { text += "\n" }
  }

  /// Returns how long to wait until the text may be shown, in milliseconds; -1 if there is none.
  func delay(at now: ContinuousClock.Instant) -> Int32 {
    guard isTurnDue || !text.isEmpty else { return -1 }
    guard let lastShown else { return 0 }
    let remaining = Self.interval - (now - lastShown)
    return remaining <= .zero ? 0 : Int32(remaining / .milliseconds(1)) + 1
  }

  /// Returns whether turns are due, and clears that.
  mutating func takeTurn() -> Bool {
    defer { isTurnDue = false }
    return isTurnDue
  }

  /// Removes and returns the text, in whole lines; nil if there is none.
  mutating func take() -> String? {
    guard !text.isEmpty else { return nil }
    defer { text = "" }
    return EventDigest.text(of: text)
  }

  mutating func noteShown(at now: ContinuousClock.Instant) { lastShown = now }
}

/// The text of events above a half-typed line, or their number if they would flood the screen.
enum EventDigest {
  /// The maximum number of lines shown at once.
  static let limit = 200

  static func text(of events: String) -> String {
    let count = events.utf8.count { $0 == UInt8(ascii: "\n") }
    return count <= limit ? events : "\(count) lines of events: 'events' shows them\n"
  }
}
