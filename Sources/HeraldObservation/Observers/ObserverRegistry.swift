import HeraldModel

/// The observers of a session: by token number, in pages of 64 that are freed when empty, and by what
/// concerns them.
struct ObserverRegistry {
  let interest = Interest()
  /// Why tokens ended, until they are forgotten.
  private(set) var ends: [TokenID: TokenEnd] = [:]
  private(set) var count = 0
  private var nextID = 0
  private static let pageSize = 64
  private var pages: [[Observer?]] = []
  private var live: [Int] = []

  subscript(_ id: TokenID) -> Observer? {
    let page = id.rawValue / Self.pageSize
    guard id.rawValue >= 0, page < pages.count, !pages[page].isEmpty else { return nil }
    return pages[page][id.rawValue % Self.pageSize]
  }

  /// Every live observer, in order of registration.
  var all: [Observer] { pages.joined().compactMap(\.self) }

  /// Adds an observer and subscribes it to what concerns it.
  mutating func register(_ subject: any Subject, clock: Int) -> Observer {
    let observer = Observer(TokenID(rawValue: nextID), subject, clock: clock)
    nextID += 1
    let page = observer.id.rawValue / Self.pageSize
    while pages.count <= page {
      pages.append([])
      live.append(0)
    }
    if pages[page].isEmpty { pages[page] = [Observer?](repeating: nil, count: Self.pageSize) }
    pages[page][observer.id.rawValue % Self.pageSize] = observer
    live[page] += 1
    count += 1
    subject.register(observer, interest)
    return observer
  }

  /// Removes an observer from every list and watch, and notes why. Does nothing for one that is dead.
  mutating func end(_ observer: Observer, _ reason: TokenEnd) {
    guard observer.state != .dead else { return }
    observer.state = .dead
    ends[observer.id] = reason
    let page = observer.id.rawValue / Self.pageSize
    pages[page][observer.id.rawValue % Self.pageSize] = nil
    live[page] -= 1
    count -= 1
    if live[page] == 0 { pages[page] = [] }
    observer.subject.leave(observer, interest)
  }

  /// Forgets why a token ended.
  mutating func forget(_ id: TokenID) { ends[id] = nil }
}
