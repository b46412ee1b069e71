import HeraldModel
import HeraldQuery

/// Receives the reports of a token.
package typealias ReportHandler = (Report) throws -> Void

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

  enum Subject {
    case store(StoreSubject)
    case object(ObjectSubject)
    case results(ResultsSubject)
    case collection(CollectionSubject)
    case property(PropertySubject)
    case projection(ProjectionSubject)
  }

  let id: TokenID
  let subject: Subject
  var state: State
  /// Receives its reports; released when the observer ends.
  var handler: ReportHandler?
  /// Receives the reports that silent writes withhold from `handler`.
  var silenceHandler: SilenceHandler?
  /// Whether a schema change removed something that it depends on: its next report is its last.
  var isLost = false
  /// The version of the last record taken when it was registered.
  var since = 0
  var account = DeliveryAccount()

  init(_ id: TokenID, _ subject: Subject, _ state: State) {
    self.id = id
    self.subject = subject
    self.state = state
  }

  /// The reason why it ends with its last report.
  func end(isSilenced: Bool) -> TokenEnd {
    if isLost { return .schemaChanged }
    return switch subject {
    case .store, .object, .property, .projection: .objectDeleted(isSilenced: isSilenced)
    case .results, .collection: .ownerDeleted(isSilenced: isSilenced)
    }
  }
}

/// The state of a store token, which needs no records.
final class StoreSubject {
  /// The clock at the first visible commit that is not yet reported; nil where there is none.
  var changedSince: Int?
  /// The clock at which `refreshRequired` became pending; nil where it is not.
  var refreshSince: Int?
  /// Whether `refreshRequired` was scheduled since the session was last advanced.
  var isRefreshScheduled = false
}

/// Observers in order of registration. Removal is lazy: amortized O(1).
struct ObserverList {
  private(set) var members: [Observer] = []
  private var deadCount = 0

  var isEmpty: Bool { members.count == deadCount }

  mutating func append(_ observer: Observer) { members.append(observer) }

  /// Removes one observer, which is dead already.
  mutating func removeDead() {
    deadCount += 1
    guard deadCount * 2 > members.count else { return }
    members.removeAll { $0.state == .dead }
    deadCount = 0
  }
}

/// The observers of a session by token number, in pages of 64 that are freed when empty.
struct ObserverTable {
  private static let pageSize = 64
  private var pages: [[Observer?]] = []
  private var live: [Int] = []
  private(set) var count = 0

  subscript(_ id: TokenID) -> Observer? {
    let page = id.rawValue / Self.pageSize
    guard id.rawValue >= 0, page < pages.count, !pages[page].isEmpty else { return nil }
    return pages[page][id.rawValue % Self.pageSize]
  }

  mutating func insert(_ observer: Observer) {
    let page = observer.id.rawValue / Self.pageSize
    while pages.count <= page {
      pages.append([])
      live.append(0)
    }
    if pages[page].isEmpty { pages[page] = [Observer?](repeating: nil, count: Self.pageSize) }
    pages[page][observer.id.rawValue % Self.pageSize] = observer
    live[page] += 1
    count += 1
  }

  mutating func remove(_ id: TokenID) {
    guard self[id] != nil else { return }
    let page = id.rawValue / Self.pageSize
    pages[page][id.rawValue % Self.pageSize] = nil
    live[page] -= 1
    count -= 1
    if live[page] == 0 { pages[page] = [] }
  }

  /// Every live observer, in order of registration.
  var all: [Observer] { pages.joined().compactMap(\.self) }
}
