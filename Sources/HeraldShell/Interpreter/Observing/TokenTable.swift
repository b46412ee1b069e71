import Herald

/// The observers of the run, by name, and the events that no `expect` has accounted for.
struct TokenTable {
  /// One observer. Its name is free again once it is dead.
  final class Record {
    let name: String
    let session: Session
    /// What it observes, as it was typed.
    let subject: String
    /// Its place in the order of registration.
    fileprivate(set) var number = 0
    /// nil once it was invalidated.
    var token: ObservationToken?
    /// How the rows that it observes are read; nil where it has none.
    var reading: RowReading?
    /// The rows as they were last told, kept only while details are shown.
    var toldRows: ObservedRows?

    init(name: String, session: Session, subject: String) {
      self.name = name
      self.session = session
      self.subject = subject
    }

    var isLive: Bool { token?.isLive ?? false }
  }

  /// Events of one name, oldest first; those before `first` are accounted for.
  private struct Queue {
    var events: [Event] = []
    var first = 0
  }

  /// How many events a run keeps for `expect`: later ones are not accounted for.
  static let eventLimit = 100_000

  private var records: [String: Record] = [:]
  private var registered = 0
  private var queues: [String: Queue] = [:]
  private var unaccounted = 0
  private var journal = EventJournal()

  static let reserved: Set<String> = ["all", "store", "none"]

  /// The name that an observer without one gets.
  var nextName: String {
    var number = 1
    while records["t\(number)"]?.isLive == true { number += 1 }
    return "t\(number)"
  }

  func check(_ name: Name, _ source: Source) throws {
    if TokenTable.reserved.contains(name.text) {
      throw ShellError(.reservedToken(name.text), source, name.span)
    }
    if records[name.text]?.isLive == true {
      throw ShellError(.library(.tokenExists(name.text)), source, name.span)
    }
  }

  /// Gives a name to an observer: what an earlier one of that name was told is not its own.
  mutating func insert(_ record: Record) {
    if let queue = queues.removeValue(forKey: record.name) {
      unaccounted -= queue.events.count - queue.first
    }
    registered += 1
    record.number = registered
    records[record.name] = record
  }

  /// The last one of that name, live or dead.
  func record(named name: String) -> Record? { records[name] }

  func record(_ name: Name, _ source: Source) throws -> Record {
    if let record = records[name.text] { return record }
    let nearest = nearestName(to: name.text, in: records.keys.sorted())
    throw ShellError(
      .library(.unknownToken(name.text, nearest: nearest)), source, name.span)
  }

  /// In the order in which they were registered.
  var live: [Record] { records.values.filter(\.isLive).sorted { $0.number < $1.number } }

  mutating func forgetAll() { records = [:] }

  /// What was told last, of one name or of all, oldest first.
  func told(_ name: Name?, _ source: Source) throws -> [Event] {
    guard let name else { return journal.events }
    let events = journal.events.filter { $0.token == name.text }
    if events.isEmpty { _ = try record(name, source) }
    return events
  }
}

// MARK: Accounting

extension TokenTable {
  mutating func told(_ event: Event) {
    journal.add(event)
    if unaccounted >= TokenTable.eventLimit { return }
    queues[event.token, default: Queue()].events.append(event)
    unaccounted += 1
  }

  /// The next event of a token that is not accounted for; it stays so until `account`.
  func next(_ name: String) -> Event? {
    guard let queue = queues[name], queue.first < queue.events.count else { return nil }
    return queue.events[queue.first]
  }

  mutating func account(_ name: String) {
    guard var queue = queues.removeValue(forKey: name) else { return }
    queue.first += 1
    unaccounted -= 1
    if queue.first < queue.events.count { queues[name] = queue }
  }

  /// Some event that no `expect` has accounted for.
  var anyUnaccounted: Event? {
    queues.values.lazy.filter { $0.first < $0.events.count }
      .map { $0.events[$0.first] }
      .min { $0.token < $1.token }
  }
}
