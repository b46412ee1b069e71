import HeraldModel
import HeraldQuery

/// An observed filter without an observer, which is made again of this: about 100 bytes.
///
///     Dog where weight >= 8 AND weight < 8.5  →  its group, 8, 8.5, its rows, its receiver
struct FoldedFilter {
  /// The rows, by the numbers of their objects.
  enum Rows {
    /// At most two; 0 for none.
    case pair(UInt32, UInt32)
    case few([UInt32])
    case many(CreationRows.Storage)

    init(_ storage: CreationRows.Storage) {
      self = storage.members.isSparse ? Rows(few: storage.members.few) : .many(storage)
    }

    /// Rows, ascending.
    init(few numbers: [UInt32]) {
      self =
        numbers.count > 2
        ? .few(numbers) : .pair(numbers.first ?? 0, numbers.count > 1 ? numbers[1] : 0)
    }

    var storage: CreationRows.Storage {
      switch self {
      case .pair(0, _): CreationRows.Storage(MemberSet())
      case .pair(let number, 0): CreationRows.Storage(MemberSet(few: [number]))
      case .pair(let first, let second): CreationRows.Storage(MemberSet(few: [first, second]))
      case .few(let numbers): CreationRows.Storage(MemberSet(few: numbers))
      case .many(let storage): storage
      }
    }
  }

  /// Receives the reports, once it is unfolded.
  let receiver: any ReportReceiver
  let group: FilterGroup
  /// The bounds by which it differs from others of its shape.
  let lower: Int
  let upper: Int
  /// The version of the last commit record taken when it was registered.
  let since: Int
  private(set) var rows: Rows
  /// The place of its mark among those of the folded filters, from 1; 0 for none.
  var mark: UInt16 = 0
  // The delivery of `initial`, if there was none since: how many versions after `since`, its rows and its time. Else the
  // place of the account, in that of the rows.
  private var initialAge: UInt32
  private var initialRows: UInt32
  private var initialNanoseconds: UInt32

  private static let noInitial = UInt32.max
  private static let noAccount = UInt32.max

  /// Folds an observer; nil if it has something that a record has not.
  init?(_ observer: Observer) {
    guard observer.isIdle, !observer.isLost, observer.silenceHandler == nil,
      let subject = observer.filter, let live = subject.live, let index = live.predicateIndex,
      let rows = live.view.creationRows,
      let (lower, upper) = live.view.query.predicate.shape?.bounds(of: live.view.query),
      let (group, receiver) = index.group(of: observer.receiver, subject.filter, live)
    else { return nil }
    self.receiver = receiver
    self.group = group
    self.lower = lower
    self.upper = upper
    since = observer.since
    self.rows = Rows(rows.storage)
    guard let initial = observer.initialDelivery else {
      (initialAge, initialRows, initialNanoseconds) = (Self.noInitial, Self.noAccount, 0)
      return
    }
    guard let age = UInt32(exactly: initial.version - since), age != Self.noInitial else {
      return nil
    }
    (initialAge, initialRows, initialNanoseconds) = (age, initial.rows, initial.nanoseconds)
  }

  /// The interval of its predicate.
  var span: ValueInterval {
    group.shape.span(lower: lower, upper: upper)
  }

  /// Returns an observer of the same, in the same state.
  func observer(_ id: TokenID) -> Observer {
    let query = group.shape.query(lower: lower, upper: upper)
    let live = LiveResults(ResultsView(query, CreationRows(rows.storage)), group.watches)
    live.predicateIndex = group.index
    return Observer(
      id, ResultsSubject(live, group.filter), since: since, initialDelivery,
      receiver.unfolded(query))
  }

  /// The receiver with the query.
  var unfoldedReceiver: any ReportReceiver {
    receiver.unfolded(group.shape.query(lower: lower, upper: upper))
  }

  private var initialDelivery: Observer.InitialDelivery? {
    initialAge == Self.noInitial
      ? nil
      : Observer.InitialDelivery(
        version: since + Int(initialAge), rows: initialRows, nanoseconds: initialNanoseconds)
  }

  /// The account of no more than `initial`.
  var initialAccount: DeliveryAccount { initialDelivery?.account ?? DeliveryAccount() }

  /// The place of its account, which it has in place of the delivery of `initial`.
  var account: UInt32? {
    get { initialAge == Self.noInitial && initialRows != Self.noAccount ? initialRows : nil }
    set {
      initialAge = Self.noInitial
      initialRows = newValue ?? Self.noAccount
    }
  }
}

// Most changes are of one value, and enter one row into the interval or take it out: that is decided, and reported, without
// an observer, as `LiveResults` does for rows in order of creation.

extension FoldedFilter {
  enum Answer {
    case report(Report)
    case nothing
    /// Only an observer can tell; the rows are as they were.
    case needsObserver
  }

  /// Advances the rows to `reader`'s version and returns the report of what changed. O(log rows), apart from moving few
  /// rows.
  mutating func answer(_ changes: PendingChanges, _ reader: any ObjectReader) -> Answer {
    if case .many = rows { return .needsObserver }
    let found = group.watches.found(changes, reader)
    guard let object = found.only, object.classID == group.index.key.classID else {
      return .needsObserver
    }
    let old = rows.position(of: object.number)
    switch found.outcome(at: old, matches: { matches(object, found, reader) }) {
    case .nothing: return .nothing
    case .modified(let position): return .report(changes.modification(of: position))
    case .enters: return .update(ChangeSet(insertions: [rows.toggle(object.number)]))
    case .leaves: return .update(ChangeSet(deletions: [rows.toggle(object.number)]))
    }
  }

  private func matches(
    _ object: ObjectID, _ found: ResultsWatches.Found, _ reader: any ObjectReader
  ) -> Bool {
    let shape = group.shape
    guard found.isOnly(in: shape.varyingPart(lower: lower, upper: upper), object, reader) else {
      return false
    }
    for part in shape.fixedParts where !found.isOnly(in: part, object, reader) { return false }
    return true
  }
}

extension FoldedFilter.Answer {
  fileprivate static func update(_ changeSet: ChangeSet) -> Self {
    .report(.update(changeSet, ownerDeleted: false))
  }
}

extension FoldedFilter.Rows {
  /// Returns the position of a row; nil where it is none.
  fileprivate func position(of number: ObjectNumber) -> Int? {
    switch self {
    case .pair(let first, let second):
      if first != 0, number == Int(first) { return 0 }
      return second != 0 && number == Int(second) ? 1 : nil
    case .few(let numbers): return MemberSet(few: numbers).positionIfMember(number)
    case .many(let storage): return storage.members.positionIfMember(number)
    }
  }

  /// Removes a row, or inserts it if it is none, and returns its position as it was or as it is.
  fileprivate mutating func toggle(_ number: ObjectNumber) -> Int {
    switch self {
    case .pair(0, _):
      self = .pair(UInt32(number), 0)
      return 0
    case .pair(let only, 0) where number == Int(only):
      self = .pair(0, 0)
      return 0
    case .pair(let only, 0):
      let isFirst = number < Int(only)
      self = isFirst ? .pair(UInt32(number), only) : .pair(only, UInt32(number))
      return isFirst ? 0 : 1
    case .pair(let first, let second) where number == Int(first):
      self = .pair(second, 0)
      return 0
    case .pair(let first, let second) where number == Int(second):
      self = .pair(first, 0)
      return 1
    case .pair, .few, .many: return toggleMember(number)
    }
  }

  private mutating func toggleMember(_ number: ObjectNumber) -> Int {
    var members = storage.members
    // Else the set would be copied.
    self = .pair(0, 0)
    let old = members.positionIfMember(number)
    if old == nil { members.insert(number) } else { members.remove(number) }
    let position = old ?? members.position(of: number)
    self =
      members.isSparse ? Self(few: members.few) : .many(CreationRows.Storage(members))
    return position
  }
}

extension Observer {
  /// The subject, if it is of results that can be folded.
  var filter: ResultsSubject? {
    guard let results else { return nil }
    let subject = results.takeUnretainedValue()
    guard subject.query.predicate.shape != nil, subject.live?.predicateIndex != nil else {
      return nil
    }
    return subject
  }

  var isFilter: Bool { filter != nil }
}
