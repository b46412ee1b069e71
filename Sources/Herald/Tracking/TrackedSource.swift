import HeraldEngine
import HeraldModel
import HeraldObservation
import HeraldQuery

/// What can be read of an object or of a collection.
enum TrackedPart: Hashable {
  /// The property of a name, or the element of a map's key.
  case named(String)
  /// Whether an object exists.
  case existence
  case count
  case isEmpty
  /// The element at an index, or that there is none.
  case row(Int)
  case last
  /// The keys of a map.
  case keys
  /// Every element with its place, or the value of an aggregate.
  case all
}

/// An object or a collection of which closures have read parts, with its observer in the engine.
class TrackedSource {
  /// A source in its table.
  enum Key: Hashable {
    case object(ObjectID)
    /// The elements of a collection, or the rows of the query whose table it is.
    case rows(ObjectProperty?)
    case sections
    case aggregate(CollectionOperation, String, of: ObjectProperty?)
    /// A property of every element.
    case values(String, of: ObjectProperty?)
  }

  /// Nil before it is registered, and once it has ended.
  fileprivate var token: TokenID?
  private let dropped: DroppedTokens
  fileprivate var reads = WeakTable<TrackedPart, TrackedRead>()

  init(_ core: StoreCore) { dropped = core.session.dropped }

  // On any thread: closures may be notified of something else elsewhere.
  deinit { if let token { dropped.note(token) } }

  /// Begins with an observer, which has nothing to report of the session's version.
  fileprivate func start(_ count: Int) {}

  /// The element that a part is, at the version of the last report.
  fileprivate func element(_ part: TrackedPart, _ session: Session) -> Value? { nil }
}

extension TrackedSource {
  /// Takes an observer over. O(rows), where it has any.
  func begin(_ token: TokenID, _ session: Session) {
    self.token = token
    start(session.begin(token) ?? 0)
  }

  /// Whether what is read now is what the next report is compared with.
  func isAtPresent(_ session: Session) -> Bool { token.map { !session.isPending($0) } ?? false }

  /// The read of a part at the session's version.
  func read(_ part: TrackedPart, _ session: Session) -> TrackedRead {
    if let known = reads[part] { return known }
    let read = TrackedRead(of: self, element(part, session))
    reads[part] = read
    return read
  }

  /// Notifies the closures that have read some parts. They are forgotten before, since they may read them again.
  fileprivate func fire(_ parts: [TrackedPart], _ store: DynamicStore) {
    var fired: [TrackedRead] = []
    for part in parts {
      guard let read = reads[part] else { continue }
      reads[part] = nil
      fired.append(read)
    }
    if !fired.isEmpty { store.core?.tracker.fire(fired) }
  }

  /// Notifies every closure for the last time, as the observer has ended.
  fileprivate func end(_ store: DynamicStore) {
    token = nil
    fire(reads.keys, store)
  }
}

/// An object: what is read are its properties.
final class TrackedObject: TrackedSource {
  func receive(_ change: DynamicObjectChange, _ store: DynamicStore) {
    switch change {
    case .change(let properties):
      // Of several commits, the values before the first and after the last.
      let changed = properties.filter { !$0.hasValues || $0.old != $0.new }
      fire(changed.map { .named($0.name) }, store)
    case .deleted, .error: end(store)
    }
  }
}

/// A query or a collection of an object: what is read are rows, or the entries of a map.
final class TrackedRows: TrackedSource {
  private let property: ObjectProperty?
  /// Whether a modified row is another element, or another value of it.
  private let areModifiedOther: Bool
  private var count = 0
  /// The highest index that was read.
  private var highest = -1

  /// - Parameters:
  ///   - property: The collection with the elements; nil where only the observer knows their places.
  ///   - areModifiedOther: Whether a modified row is another element, or another value of it; not the rows of a query, which
  ///     are modified if they were gone in between.
  init(_ core: StoreCore, elementsOf property: ObjectProperty?, areModifiedOther: Bool = true) {
    self.property = property
    self.areModifiedOther = areModifiedOther
    super.init(core)
  }

  fileprivate override func start(_ count: Int) { self.count = count }

  fileprivate override func element(_ part: TrackedPart, _ session: Session) -> Value? {
    let index: Int
    switch part {
    case .row(let row): index = row
    case .last: index = count - 1
    case .named, .existence, .count, .isEmpty, .keys, .all: return nil
    }
    if case .row = part { highest = max(highest, index) }
    guard index >= 0, index < count, let token else { return nil }
    if let property {
      return session.reader.listElement(property.property, of: property.object, at: index)
    }
    return session.objects(of: token, at: index..<index + 1)?.first.map { .link($0) }
  }

  func receive(_ change: DynamicCollectionChange, _ store: DynamicStore) {
    switch change {
    case .initial: break
    case .error: end(store)
    case .update(_, ownerDeleted: true), .mapUpdate(_, ownerDeleted: true):
      // What was read of an empty collection is read again.
      if count > 0 { end(store) }
    case .update(let changes, ownerDeleted: false):
      let areSame = changes.deletions.isEmpty && changes.insertions.isEmpty
      let isOther = !areSame || areModifiedOther && !changes.modifications.isEmpty
      advance(
        changes.insertions.count - changes.deletions.count, rows(of: changes),
        isOther ? [.all] : [], store)
    case .mapUpdate(let changes, ownerDeleted: false):
      let keys = changes.deletions + changes.insertions
      var parts = (keys + changes.modifications).map { TrackedPart.named($0) } + [.all]
      if !keys.isEmpty { parts.append(.keys) }
      advance(
        changes.insertions.count - changes.deletions.count, 0..<highest + 1, parts, store)
    }
  }

  /// The rows that were read whose elements may differ: those between the first and the last change or, if rows were
  /// shifted, the end.
  private func rows(of changes: ChangeSet) -> Range<Int> {
    let lists = [
      changes.deletions, changes.insertions, changes.modifications, changes.modificationsNew,
    ]
    let first = lists.compactMap(\.first).min() ?? 0
    let last = lists.compactMap(\.last).max() ?? -1
    let isShifted = changes.insertions.count != changes.deletions.count
    let end = min(isShifted ? highest : last, highest) + 1
    return first..<max(first, end)
  }

  /// Notifies of elements that differ from those that were read, of the number of rows, and of other parts.
  private func advance(
    _ inserted: Int, _ rows: Range<Int>, _ parts: [TrackedPart], _ store: DynamicStore
  ) {
    let oldCount = count
    count += inserted
    let read = rows.count < reads.count ? rows.map { .row($0) } : reads.keys.filter { rows.has($0) }
    var changed = (read + [.last]).filter { part in
      reads[part].map { $0.element != element(part, store.session) } ?? false
    }
    if inserted != 0 { changed.append(.count) }
    if (oldCount == 0) != (count == 0) { changed.append(.isEmpty) }
    fire(changed + parts, store)
  }
}

extension Range<Int> {
  /// Whether a part is one of the rows.
  fileprivate func has(_ part: TrackedPart) -> Bool {
    if case .row(let row) = part { contains(row) } else { false }
  }
}

/// The sections of a query: what is read is all of them.
final class TrackedSections: TrackedSource {
  func receive(_ change: DynamicSections.Change, _ store: DynamicStore) {
    switch change {
    case .initial: break
    case .update(_, ownerDeleted: false): fire([.all], store)
    case .update(_, ownerDeleted: true), .error: end(store)
    }
  }
}

/// An aggregate of a query or a collection.
final class TrackedAggregate: TrackedSource {
  fileprivate override func element(_ part: TrackedPart, _ session: Session) -> Value? {
    token.flatMap { session.groups(of: $0, at: 0..<1)?.first?.first }
  }

  func receive(_ change: DynamicCollectionChange, _ store: DynamicStore) {
    switch change {
    case .initial: break
    case .update(_, ownerDeleted: false), .mapUpdate(_, ownerDeleted: false):
      if let read = reads[.all], read.element != element(.all, store.session) {
        fire([.all], store)
      }
    case .update(_, ownerDeleted: true), .mapUpdate(_, ownerDeleted: true), .error: end(store)
    }
  }
}
