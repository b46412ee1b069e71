import HeraldModel
import HeraldQuery

/// What is called with a token's reports.
package typealias ReportHandler = (Report) throws -> Void

/// What is called with the reports that a token is not told.
package typealias SilenceHandler = (Report) -> Void

/// One token's side of the observatory.
final class Observer {
  enum State: Equatable {
    /// A collection that has told nothing yet; its view is built when it does.
    case awaitingInitial(since: Int)
    /// Everything was told: the view, if there is one, is at the session's version.
    case idle
    /// Records from the one numbered `record` on may concern it; `since` is when it became so.
    case owed(record: Int, since: Int)
    /// Told its last, or invalidated.
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
  /// Whom its reports are for; let go of when it ends.
  var handler: ReportHandler?
  /// Whom its reports are for that writes without notifying it keep from it.
  var silenceHandler: SilenceHandler?
  /// The schema no longer holds what it needs: its next report is its last.
  var isLost = false
  /// The version that the session stood at when it was registered, as far as records were taken.
  var since = 0
  var account = DeliveryAccount()

  init(_ id: TokenID, _ subject: Subject, _ state: State) {
    self.id = id
    self.subject = subject
    self.state = state
  }

  /// Why it ends with a last call.
  func end(isSilenced: Bool) -> TokenEnd {
    if isLost { return .schemaChanged }
    return switch subject {
    case .store, .object, .property, .projection: .objectDeleted(isSilenced: isSilenced)
    case .results, .collection: .ownerDeleted(isSilenced: isSilenced)
    }
  }
}

/// A store token: what is owed is a word or two, and no record.
final class StoreSubject {
  /// When a commit became visible that it was not told of.
  var changedSince: Int?
  /// When others had committed and the session was not advanced.
  var refreshSince: Int?
  /// It was told so since the session was last advanced.
  var isRefreshTold = false
}

/// Observers in order of registration. Removal is lazy, so that it costs O(1) over time.
struct ObserverList {
  private(set) var members: [Observer] = []
  private var deadCount = 0

  var isEmpty: Bool { members.count == deadCount }

  mutating func append(_ observer: Observer) { members.append(observer) }

  /// Takes an observer out that is dead.
  mutating func removeDead() {
    deadCount += 1
    guard deadCount * 2 > members.count else { return }
    members.removeAll { $0.state == .dead }
    deadCount = 0
  }
}

/// The tokens of a session by number: 64 to a page, pages without tokens empty.
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
