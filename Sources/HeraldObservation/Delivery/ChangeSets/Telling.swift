public import HeraldModel

/// What an observer was told in one delivery, in short.
public enum Telling: Hashable, Sendable {
  case initial(rows: Int)
  case update(deletions: Int, insertions: Int, modifications: Int)
  /// The last call: the owner of the collection went.
  case ownerDeleted(rows: Int)
  /// The properties that were named.
  case change([String])
  case deleted
  /// A store token.
  case changed
  case refreshRequired
  /// A property observer.
  case property(String)
  case invalidated
  /// The last call: its view could no longer be kept.
  case error(HeraldError)

  init(_ report: Report) {
    switch report {
    case .changed: self = .changed
    case .refreshRequired: self = .refreshRequired
    case .collection(let change): self.init(change)
    case .change(let properties): self = .change(properties.map { $0.name })
    case .deleted: self = .deleted
    case .property(let name, _, _): self = .property(name)
    case .propertyRows(let name, _, _): self = .property(name)
    case .invalidated: self = .invalidated
    case .error(let error): self = .error(error)
    }
  }

  private init(_ change: CollectionChange) {
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

/// What was told to one observer so far, and what that took.
struct DeliveryAccount {
  private(set) var count = 0
  private(set) var last: Telling?
  /// The versions that it was told of last: those that the commits since the time before led to.
  private(set) var lastVersions = 0...0
  /// Nanoseconds spent on bringing it up to date; 0 where nobody gave a clock.
  private(set) var nanoseconds = 0
  private(set) var lastNanoseconds = 0

  mutating func note(_ report: Report, versions: ClosedRange<Int>) {
    count += 1
    last = Telling(report)
    lastVersions = versions
  }

  /// Of which versions it was told last is not known any more.
  mutating func forgetVersions() { lastVersions = 0...0 }

  mutating func spend(_ nanoseconds: Int) {
    self.nanoseconds += nanoseconds
    lastNanoseconds = nanoseconds
  }
}
