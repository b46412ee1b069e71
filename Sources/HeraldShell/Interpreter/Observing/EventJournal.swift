/// The last events of a run, oldest first.
struct EventJournal {
  /// How many events a run can show again.
  static let limit = 10_000

  private var kept: [Event] = []

  var events: [Event] { kept.suffix(EventJournal.limit) }

  mutating func add(_ event: Event) {
    kept.append(event)
    // Drops half at twice the limit, so that dropping is cheap on average.
    if kept.count >= 2 * EventJournal.limit { kept.removeFirst(EventJournal.limit) }
  }
}
