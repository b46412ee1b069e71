/// The observers with something pending, in the order of delivery, and the clock that dates what was
/// pending before a round began.
struct PendingDeliveries {
  /// Counts registrations, records and rounds.
  private(set) var clock = 0
  /// Property observers: notified before all but store tokens.
  private(set) var properties = TwoLevelBitset()
  /// The tokens on the store, whose subjects keep their state.
  private(set) var stores = TwoLevelBitset()
  /// The other tokens, `initial` included.
  private(set) var others = TwoLevelBitset()
  /// The undelivered last reports of failed observers.
  var failures: [Due] = []
  /// The reports withheld from silenced tokens, until they are taken.
  var silenced: [(handler: SilenceHandler, report: Report)] = []

  var isEmpty: Bool { others.isEmpty && properties.isEmpty }

  /// Advances the clock.
  mutating func tick() { clock += 1 }

  func contains(_ observer: Observer) -> Bool {
    let value = observer.id.rawValue
    return others.contains(value) || properties.contains(value)
  }

  mutating func insert(_ observer: Observer) {
    switch observer.rank {
    case .store: break
    case .property: properties.insert(observer.id.rawValue)
    case .other: others.insert(observer.id.rawValue)
    }
  }

  /// The same for a filter, which may have no observer.
  mutating func insert(filter id: TokenID) { others.insert(id.rawValue) }

  mutating func remove(filter id: TokenID) { others.remove(id.rawValue) }

  mutating func remove(_ observer: Observer) {
    switch observer.rank {
    case .store: stores.remove(observer.id.rawValue)
    case .property: properties.remove(observer.id.rawValue)
    case .other: others.remove(observer.id.rawValue)
    }
  }

  /// Notes whether a token on the store has something pending.
  mutating func note(store id: TokenID, isPending: Bool) {
    if isPending { stores.insert(id.rawValue) } else { stores.remove(id.rawValue) }
  }

  /// Marks an observer that a record, or a later one, may concern. Does nothing if it is marked already.
  mutating func mark(_ observer: Observer, _ record: Int) {
    guard observer.isIdle else { return }
    observer.state = .pending(record: record, since: clock)
    insert(observer)
  }
}
