import HeraldModel
import HeraldQuery

/// Receives the reports that a silent write withholds from a token.
package typealias SilenceHandler = (Report) -> Void

/// The state of one token in the observatory.
final class Observer {
  enum State: Equatable {
    /// A collection before its first report, when its view is built.
    case awaitingInitial(since: Int)
    /// Nothing is pending: the view, if there is one, is at the session's version.
    case idle
    /// Records from number `record` on may concern it; `since` is the clock when the first was marked.
    case pending(record: Int, since: Int)
    /// Has received its last report, or was invalidated.
    case dead
  }

  /// The kinds of subjects, between which `Observatory.next` orders deliveries; within one the order of
  /// registration holds. The order of the cases is that in which failures are reported.
  enum Rank: CaseIterable {
    case store
    case property
    case other
  }

  let id: TokenID
  let subject: any Subject
  /// Whether it observes an object as a whole.
  let isOfObject: Bool
  let rank: Rank
  @exclusivity(unchecked) var state: State
  /// Receives its reports; released when the observer ends.
  @exclusivity(unchecked) var receiver: any ReportReceiver = NoReceiver()
  /// Receives the reports that silent writes withhold from `receiver`.
  @exclusivity(unchecked) var silenceHandler: SilenceHandler?
  /// Whether a schema change removed something that it depends on: its next report is its last.
  @exclusivity(unchecked) var isLost = false
  /// The stamp of the last changes that marked it.
  @exclusivity(unchecked) var markedBy = -1
  /// The version of the last record taken when it was registered.
  @exclusivity(unchecked) var since = 0
  /// The subject, if it is of results: a delivery to thousands of these makes no calls through the protocol. It counts no
  /// references, as the account does not, since these are a large part of what such a delivery costs.
  let results: Unmanaged<ResultsSubject>?
  /// Nil until a second delivery: most of many observers have had none but `initial`. Released at the end of the observer.
  @exclusivity(unchecked) private var keptAccount: Unmanaged<KeptAccount>?
  /// The delivery of `initial`, until there is an account; nil before it.
  @exclusivity(unchecked) private(set) var initialDelivery: InitialDelivery?

  /// What an account has of `initial` alone, in a tenth of its memory.
  struct InitialDelivery {
    let version: Int
    let rows: UInt32
    let nanoseconds: UInt32

    init(version: Int, rows: UInt32, nanoseconds: UInt32) {
      self.version = version
      self.rows = rows
      self.nanoseconds = nanoseconds
    }

    /// Returns nil for another report, and for numbers that are too large.
    init?(_ report: Report, _ versions: ClosedRange<Int>, _ nanoseconds: Int) {
      guard case .collection(.initial(let count)) = report, versions.count == 1,
        let rows = UInt32(exactly: count), let nanoseconds = UInt32(exactly: nanoseconds)
      else { return nil }
      version = versions.lowerBound
      self.rows = rows
      self.nanoseconds = nanoseconds
    }

    var account: DeliveryAccount {
      var account = DeliveryAccount()
      account.note(.initial(count: Int(rows)), versions: version...version)
      account.spend(Int(nanoseconds))
      return account
    }
  }

  private final class KeptAccount {
    @exclusivity(unchecked) var account = DeliveryAccount()
  }

  var account: DeliveryAccount {
    get {
      if let keptAccount { return keptAccount._withUnsafeGuaranteedRef { $0.account } }
      return initialDelivery?.account ?? DeliveryAccount()
    }
    _modify {
      let kept = keepAccount().takeUnretainedValue()
      yield &kept.account
    }
  }

  private func keepAccount() -> Unmanaged<KeptAccount> {
    if let keptAccount { return keptAccount }
    let kept = KeptAccount()
    if let initialDelivery { kept.account = initialDelivery.account }
    initialDelivery = nil
    let reference = Unmanaged.passRetained(kept)
    keptAccount = reference
    return reference
  }

  /// Notes a delivery, and what its report took.
  func note(_ report: Report, versions: ClosedRange<Int>, nanoseconds: Int) {
    if keptAccount == nil, initialDelivery == nil {
      initialDelivery = InitialDelivery(report, versions, nanoseconds)
      if initialDelivery != nil { return }
    }
    keepAccount()._withUnsafeGuaranteedRef { kept in
      kept.account.note(report, versions: versions)
      kept.account.spend(nanoseconds)
    }
  }

  /// The account; nil if it is `initialDelivery`.
  var ownAccount: DeliveryAccount? {
    keptAccount.map { $0._withUnsafeGuaranteedRef { $0.account } }
  }

  deinit { keptAccount?.release() }

  /// An idle observer of results that have begun already.
  init(
    _ id: TokenID, _ subject: ResultsSubject, since: Int, _ initialDelivery: InitialDelivery?,
    _ receiver: any ReportReceiver
  ) {
    self.id = id
    self.subject = subject
    results = Unmanaged.passUnretained(subject)
    isOfObject = false
    rank = .other
    state = .idle
    self.since = since
    self.initialDelivery = initialDelivery
    self.receiver = receiver
  }

  /// `clock` is that of the registration.
  init(_ id: TokenID, _ subject: any Subject, clock: Int) {
    self.id = id
    self.subject = subject
    results = (subject as? ResultsSubject).map { Unmanaged.passUnretained($0) }
    isOfObject = subject.observedObject != nil
    rank = subject.rank
    state = subject.hasRows ? .awaitingInitial(since: clock) : .idle
  }

  /// The reason why it ends with its last report.
  func end(isSilenced: Bool) -> TokenEnd {
    if isLost { return .schemaChanged }
    return subject.hasRows
      ? .ownerDeleted(isSilenced: isSilenced) : .objectDeleted(isSilenced: isSilenced)
  }

  var isIdle: Bool { if case .idle = state { true } else { false } }

  /// Whether its first report is pending.
  var awaitsInitial: Bool { if case .awaitingInitial = state { true } else { false } }

  /// Whether a report is pending.
  var isPending: Bool { isPending(before: .max) }

  /// Whether a report was pending at a clock.
  func isPending(before clock: Int) -> Bool {
    switch state {
    case .awaitingInitial(let since), .pending(_, let since): since <= clock
    case .idle, .dead: false
    }
  }
}

/// Observers in order of registration. Removal of dead ones is lazy: amortized O(1).
struct ObserverList {
  private(set) var members: [Observer] = []
  private var deadCount = 0

  var isEmpty: Bool { members.count == deadCount }

  mutating func append(_ observer: Observer) { members.append(observer) }

  /// Removes an observer once: one that is dead lazily, another one in O(observers).
  mutating func remove(_ observer: Observer) {
    guard observer.state == .dead else {
      if let index = members.lastIndex(where: { $0 === observer }) { members.remove(at: index) }
      return
    }
    deadCount += 1
    guard deadCount * 2 > members.count else { return }
    members.removeAll { $0.state == .dead }
    deadCount = 0
  }
}
