import HeraldModel
import HeraldQuery

/// A live view of a list or a map nested in a value of any type.
struct NestedView {
  /// The current path, which changes when rows are inserted or removed before it.
  private(set) var path: [ValueStep]
  private(set) var value: Value
  /// Whether the last commit with nested operations on the property changed the rows.
  private(set) var isChangedByLastCommit = false
  /// The rows that link to each object.
  private var holders: [ObjectID: Set<ValueStep>] = [:]

  /// O(n).
  init(_ location: CollectionLocation, _ reader: any ObjectReader) {
    path = location.inside
    value = location.part(at: path, reader) ?? .null
    indexLinks()
  }

  /// Creates a view of the state before a change.
  init(_ location: CollectionLocation, before done: NestedChange, _ reader: any ObjectReader) {
    path = location.inside
    value =
      done.value(after: 0, at: path, location.shape) { location.part(at: $0, reader) } ?? .null
  }

  /// Creates a view without rows, where the containing value was removed.
  init(lostFrom location: CollectionLocation) {
    path = location.inside
    value = .list([])
  }

  var count: Int { value.nestedCount ?? 0 }

  var byteCount: Int { count * MemoryLayout<Value>.stride }

  private mutating func indexLinks() {
    holders = [:]
    switch value {
    case .list(let values):
      for (row, element) in values.enumerated() { indexLinks(of: element, in: .row(row)) }
    case .map(let entries):
      for (key, element) in entries { indexLinks(of: element, in: .key(key)) }
    case .null, .bool, .int, .float, .double, .string, .data, .date, .decimal, .uuid, .objectID,
      .link:
      break
    }
  }

  private mutating func indexLinks(of element: Value, in row: ValueStep) {
    element.forEachLink { holders[$0, default: []].insert(row) }
  }

  /// The report that deletes every row, with the owner.
  var deletion: Report {
    if case .map(let entries) = value {
      return .mapUpdate(MapChangeSet(deletions: entries.keys.inKeyOrder), ownerDeleted: true)
    }
    return .update(ChangeSet(deletions: Array(0..<count)), ownerDeleted: true)
  }

  /// Advances the rows to `reader`'s version and returns the report; nil where there is nothing to
  /// report. O(n) where the value changed, since it is stored and read as a whole.
  mutating func advance(
    _ location: CollectionLocation, _ watch: RowWatch?, _ changes: PendingChanges,
    _ reader: any ObjectReader
  ) -> Report? {
    let change = changes.change(of: location.owner.classID)
    guard let done = change?.inside(location.property, location.owner.number) else {
      return modified(by: watch, changes, reader)
    }
    // Where a later commit removes the collection, the report deletes the rows delivered last.
    let delivered = value
    var outcome = NestedOutcome(value)
    guard follow(done, location, reader, { outcome.merge($0) }) else {
      value = delivered
      return deletion
    }
    indexLinks()
    return outcome.report(of: value, rows: rows(of: watch, changes, reader))
  }

  /// Advances the rows commit by commit; returns false where a commit removed the collection.
  mutating func follow(
    _ done: NestedChange, _ location: CollectionLocation, _ reader: any ObjectReader,
    _ body: (NestedOutcome) -> Void = { _ in }
  ) -> Bool {
    for (index, commit) in done.commits.enumerated() {
      guard let next = follow(commit, in: done, at: index, location, reader) else { return false }
      body(next)
    }
    return true
  }

  /// Advances the rows over one commit and returns their change; nil where it removed the collection.
  private mutating func follow(
    _ commit: NestedChange.Commit, in done: NestedChange, at index: Int,
    _ location: CollectionLocation,
    _ reader: any ObjectReader
  ) -> NestedOutcome? {
    func part(after count: Int) -> ([ValueStep]) -> Value? {
      { steps in
        done.value(after: count, at: steps, location.shape) { location.part(at: $0, reader) }
      }
    }
    var steps = NestedChangeTracker(path, value)
    for operation in commit.operations { steps.apply(operation) }
    let ends = NestedChangeTracker.Ends(before: part(after: index), after: part(after: index + 1))
    guard let (outcome, new) = steps.settle(ends) else { return nil }
    path = steps.path
    value = new
    isChangedByLastCommit = outcome.report(of: new, rows: []) != nil
    return outcome
  }

  private func modified(
    by watch: RowWatch?, _ changes: PendingChanges, _ reader: any ObjectReader
  ) -> Report? {
    let rows = rows(of: watch, changes, reader)
    guard !rows.isEmpty else { return nil }
    return NestedOutcome(value).report(of: value, rows: rows)
  }

  /// Returns the rows that link to changed objects, in order. O(smaller of changed and linked objects +
  /// found).
  private func rows(
    of watch: RowWatch?, _ changes: PendingChanges, _ reader: any ObjectReader
  ) -> [ValueStep] {
    guard let watch, !holders.isEmpty else { return [] }
    let modified = watch.modifiedObjects(changes, reader)
    var rows: Set<ValueStep> = []
    if modified.count < holders.count {
      for object in modified { rows.formUnion(holders[object] ?? []) }
    } else {
      for (object, held) in holders where modified.contains(object) { rows.formUnion(held) }
    }
    return rows.inOrder
  }

  /// The invariants of the view that do not hold in `reader`'s version. O(n).
  func violations(_ location: CollectionLocation, _ reader: any ObjectReader) -> [String] {
    let found = location.part(at: path, reader)
    var view = self
    view.indexLinks()
    if view.holders != holders { return ["the index of links differs from the value"] }
    return found == value || !reader.exists(location.owner)
      ? [] : ["the nested value is \(String(describing: found)), not \(value)"]
  }

  func leads(to object: ObjectID) -> Bool { holders[object] != nil }
}

extension Set<ValueStep> {
  /// The rows ascending; keys in any order.
  fileprivate var inOrder: [ValueStep] {
    sorted { a, b in
      if case .row(let first) = a, case .row(let second) = b { first < second } else { false }
    }
  }
}

extension CollectionLocation {
  /// Returns the value at the end of a path from the property; nil where the path leads nowhere.
  func part(at steps: [ValueStep], _ reader: any ObjectReader) -> Value? {
    reader.part(of: property, owner, shape, at: steps)
  }
}
