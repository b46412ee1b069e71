public import HeraldModel

/// A summary of one delivery to an observer.
public enum DeliverySummary: Hashable, Sendable {
  /// The first state, with its number of rows.
  case initial(rows: Int)
  /// How many rows were deleted, inserted and modified.
  case update(deletions: Int, insertions: Int, modifications: Int)
  /// The last call: the owner of the collection was deleted.
  case ownerDeleted(rows: Int)
  /// An observed value differs.
  case value
  /// An object or a projection: the names of the changed properties.
  case change([String])
  /// The object was deleted.
  case deleted
  /// A store token: a transaction was committed.
  case changed
  /// Others have committed, and the session does not advance by itself.
  case refreshRequired
  /// A property observer: the name of the property.
  case property(String)
  /// What was observed no longer exists.
  case invalidated
  /// The last call: the view could no longer be maintained.
  case error(HeraldError)

  init(_ report: Report) {
    switch report {
    case .changed: self = .changed
    case .refreshRequired: self = .refreshRequired
    case .collection(let change): self.init(change)
    case .rows(let delivered):
      let (deletions, insertions, modifications) = delivered.counts
      self = .update(
        deletions: deletions, insertions: insertions, modifications: modifications)
    case .sections(let changes, let ownerDeleted):
      self.init(DynamicCollectionChange.update(changes.rows, ownerDeleted: ownerDeleted))
    case .value: self = .value
    case .change(let properties): self = .change(properties.map { $0.name })
    case .deleted: self = .deleted
    case .property(let name, _, _): self = .property(name)
    case .propertyRows(let name, _, _): self = .property(name)
    case .invalidated: self = .invalidated
    case .error(let error): self = .error(error)
    }
  }

  private init(_ change: DynamicCollectionChange) {
    switch change {
    case .initial(let count): self = .initial(rows: count)
    case .update(let changes, ownerDeleted: true):
      self = .ownerDeleted(rows: changes.deletions.count)
    case .update(let changes, ownerDeleted: false):
      self = .update(
        deletions: changes.deletions.count, insertions: changes.insertions.count,
        modifications: changes.modifications.count)
    case .mapUpdate(let changes, ownerDeleted: true):
      self = .ownerDeleted(rows: changes.deletions.count)
    case .mapUpdate(let changes, ownerDeleted: false):
      self = .update(
        deletions: changes.deletions.count, insertions: changes.insertions.count,
        modifications: changes.modifications.count)
    case .error(let error): self = .error(error)
    }
  }
}

/// Statistics of the deliveries to one observer.
struct DeliveryAccount {
  private(set) var count = 0
  /// The last delivery, unless it changed rows.
  private var lastOther: DeliverySummary?
  /// How many rows the last delivery changed; nil for another one.
  private var lastRows: (deletions: Int, insertions: Int, modifications: Int)?
  /// The versions that the last delivery covered.
  private(set) var lastVersions = 0...0
  /// Nanoseconds spent on its reports; 0 without a clock.
  private(set) var nanoseconds = 0
  private(set) var lastNanoseconds = 0

  @inline(__always)
  mutating func note(_ report: Report, versions: ClosedRange<Int>) {
    count += 1
    lastVersions = versions
    if case .rows(let delivered) = report {
      if lastRows == nil { lastOther = nil }
      lastRows = delivered.counts
    } else {
      lastRows = nil
      lastOther = DeliverySummary(report)
    }
  }

  /// The last delivery.
  var last: DeliverySummary? {
    lastRows.map {
      .update(deletions: $0.deletions, insertions: $0.insertions, modifications: $0.modifications)
    } ?? lastOther
  }

  /// Forgets the versions of the last delivery, whose transaction was rolled back.
  mutating func forgetVersions() { lastVersions = 0...0 }

  mutating func spend(_ nanoseconds: Int) {
    self.nanoseconds += nanoseconds
    lastNanoseconds = nanoseconds
  }
}
