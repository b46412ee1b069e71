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
      guard storage.members.isSparse else {
        self = .many(storage)
        return
      }
      let numbers = storage.members.few
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
  let rows: Rows
  // The delivery of `initial`, if there was none since: how many versions after `since`, its rows and its time.
  private let initialAge: UInt32
  private let initialRows: UInt32
  private let initialNanoseconds: UInt32

  private static let noInitial = UInt32.max

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
      (initialAge, initialRows, initialNanoseconds) = (Self.noInitial, 0, 0)
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
    let initial =
      initialAge == Self.noInitial
      ? nil
      : Observer.InitialDelivery(
        version: since + Int(initialAge), rows: initialRows, nanoseconds: initialNanoseconds)
    return Observer(
      id, ResultsSubject(live, group.filter), since: since, initial, receiver.unfolded(query))
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
