import Herald

/// The observers of a run by name, and the events that no `expect` has accounted for.
struct TokenTable {
  /// An observer. Its name may be reused once it is dead.
  final class Entry {
    let name: String
    let session: ShellSession
    /// The observed target, as it was typed.
    let subject: String
    /// The key paths that restrict it; nil without a restriction.
    let keyPaths: [String]?
    /// Its position in the order of registration.
    fileprivate(set) var number = 0
    /// nil once it is invalidated.
    var token: ObservationToken?
    /// Reads the observed rows; nil if there are none.
    var reading: RowReading?
    /// The rows at the last event, kept only while details are shown.
    var deliveredRows: ObservedRows?
    /// What runs for each event.
    var program: EventProgram?

    init(name: String, session: ShellSession, subject: String, keyPaths: [String]?) {
      self.name = name
      self.session = session
      self.subject = subject
      self.keyPaths = keyPaths
    }

    var isLive: Bool { token?.isLive ?? false }
  }

  /// Events of one name with their positions among all, oldest first; those before `first` are accounted
  /// for.
  private struct Queue {
    var events: [(number: Int, event: Event)] = []
    var first = 0
  }

  /// The number of events that a run keeps for `expect`; later ones are not accounted for.
  static let eventLimit = 100_000

  private var records: [String: Entry] = [:]
  private var registered = 0
  private var queues: [String: Queue] = [:]
  private var unaccounted = 0
  private var appended = 0
  private var journal = EventJournal()

  private var defaultNumbers = DefaultNumbers()

  static let reserved: Set<String> = ["all", "store", "none"]

  /// The default name of the next observer: `t` with the smallest number that no observer has.
  mutating func nextName() -> String {
    DefaultNumbers.name(defaultNumbers.next { records[DefaultNumbers.name($0)]?.isLive == true })
  }

  /// Notes that an observer has ended, so that its default name can be given again.
  mutating func noteEnd(of record: Entry) { defaultNumbers.free(record.name) }

  /// Notes every observer that has ended. O(observers).
  mutating func noteEnds() {
    for record in records.values where !record.isLive { noteEnd(of: record) }
  }

  /// Throws for a name that an observer cannot have.
  ///
  /// - Parameter old: the observer that the new one replaces.
  func check(_ name: Name, replacing old: Entry? = nil, _ source: Source) throws {
    if TokenTable.reserved.contains(name.text) {
      throw ShellError(.reservedToken(name.text), source, name.span)
    }
    if let record = records[name.text], record.isLive, record !== old {
      throw ShellError(.library(.tokenExists(name.text)), source, name.span)
    }
  }

  /// Registers an observer under its name; events of an earlier one of that name are not its own.
  mutating func insert(_ record: Entry) {
    if let queue = queues.removeValue(forKey: record.name) {
      unaccounted -= queue.events.count - queue.first
    }
    registered += 1
    record.number = registered
    records[record.name] = record
  }

  /// The last observer of that name, live or dead.
  func record(named name: String) -> Entry? { records[name] }

  func record(_ name: Name, _ source: Source) throws -> Entry {
    if let record = records[name.text] { return record }
    let nearest = nearestName(to: name.text, in: records.keys.sorted())
    throw ShellError(.library(.unknownToken(name.text, nearest: nearest)), source, name.span)
  }

  /// The observers in the order of registration.
  var live: [Entry] { records.values.filter(\.isLive).sorted { $0.number < $1.number } }

  mutating func forgetAll() {
    records = [:]
    defaultNumbers = DefaultNumbers()
  }

  /// The last events, of one observer or of all, oldest first.
  func events(_ name: Name?, _ source: Source) throws -> [Event] {
    guard let name else { return journal.events }
    let events = journal.events.filter { $0.token == name.text }
    if events.isEmpty { _ = try record(name, source) }
    return events
  }
}

// MARK: Accounting

extension TokenTable {
  mutating func append(_ event: Event) {
    journal.add(event)
    if unaccounted >= TokenTable.eventLimit { return }
    queues[event.token, default: Queue()].events.append((appended, event))
    appended += 1
    unaccounted += 1
  }

  /// The next event of a token that is not accounted for; it stays so until `account`.
  func next(_ name: String) -> Event? {
    guard let queue = queues[name], queue.first < queue.events.count else { return nil }
    return queue.events[queue.first].event
  }

  mutating func account(_ name: String) {
    guard var queue = queues.removeValue(forKey: name) else { return }
    queue.first += 1
    unaccounted -= 1
    if queue.first < queue.events.count { queues[name] = queue }
  }

  /// The oldest event that no `expect` has accounted for, if there is one.
  var firstUnaccounted: Event? {
    queues.values.lazy.filter { $0.first < $0.events.count }
      .map { $0.events[$0.first] }
      .min { $0.number < $1.number }?.event
  }
}

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
