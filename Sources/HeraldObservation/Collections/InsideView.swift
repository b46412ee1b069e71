import HeraldModel
import HeraldQuery

/// A list or a map inside a value of any type, as it was told last.
struct InsideView {
  /// Where it stands now: rows that come and go before it shift it.
  private(set) var path: [ValueStep]
  private(set) var value: Value
  /// Whether the last commit that did something inside the property did something to the rows.
  private(set) var isToldOfLast = false
  /// The rows that lead to each object.
  private var holders: [ObjectID: Set<ValueStep>] = [:]

  /// O(n).
  init(_ place: CollectionPlace, _ reader: any ObjectReader) {
    path = place.inside
    value = place.part(at: path, reader) ?? .null
    learn()
  }

  /// As it stood before a change.
  init(_ place: CollectionPlace, before done: InsideChange, _ reader: any ObjectReader) {
    path = place.inside
    value =
      done.value(after: 0, at: path, place.shape) { place.part(at: $0, reader) } ?? .null
  }

  /// What is left where the value went that it was inside of: no row.
  init(lostFrom place: CollectionPlace) {
    path = place.inside
    value = .list([])
  }

  var count: Int { value.partCount ?? 0 }

  var byteCount: Int { count * MemoryLayout<Value>.stride }

  private mutating func learn() {
    holders = [:]
    switch value {
    case .list(let values):
      for (row, element) in values.enumerated() { learn(element, in: .row(row)) }
    case .map(let entries):
      for (key, element) in entries { learn(element, in: .key(key)) }
    case .null, .bool, .int, .float, .double, .string, .data, .date, .decimal, .uuid, .objectID,
      .link:
      break
    }
  }

  private mutating func learn(_ element: Value, in row: ValueStep) {
    element.forEachLink { holders[$0, default: []].insert(row) }
  }

  /// Every row goes, with what held them.
  var deletion: Report {
    if case .map(let entries) = value {
      return .mapUpdate(MapChangeSet(deletions: entries.keys.inKeyOrder), ownerDeleted: true)
    }
    return .update(ChangeSet(deletions: Array(0..<count)), ownerDeleted: true)
  }

  /// Brings the rows to `reader`'s version and answers what that tells; nil for nothing. O(n) where
  /// the value changed, which is stored and read as a whole.
  mutating func advance(
    _ place: CollectionPlace, _ watch: RowWatch?, _ changes: PendingChanges,
    _ reader: any ObjectReader
  ) -> Report? {
    let change = changes.change(of: place.owner.classID)
    guard let done = change?.inside(place.property, place.owner.number) else {
      return modified(by: watch, changes, reader)
    }
    // What was told last goes where a later commit takes the collection away.
    let told = value
    var outcome = InsideOutcome(value)
    guard follow(done, place, reader, { outcome.merge($0) }) else {
      value = told
      return deletion
    }
    learn()
    return outcome.report(of: value, rows: rows(of: watch, changes, reader))
  }

  /// Brings the rows to where each commit left them; false where one took the collection away.
  mutating func follow(
    _ done: InsideChange, _ place: CollectionPlace, _ reader: any ObjectReader,
    _ body: (InsideOutcome) -> Void = { _ in }
  ) -> Bool {
    for (index, commit) in done.commits.enumerated() {
      guard let next = follow(commit, in: done, at: index, place, reader) else { return false }
      body(next)
    }
    return true
  }

  /// Brings the rows to where a commit left them and answers what it did to them; nil where it took
  /// the collection away.
  private mutating func follow(
    _ commit: InsideChange.Commit, in done: InsideChange, at index: Int, _ place: CollectionPlace,
    _ reader: any ObjectReader
  ) -> InsideOutcome? {
    func part(after count: Int) -> ([ValueStep]) -> Value? {
      { steps in
        done.value(after: count, at: steps, place.shape) { place.part(at: $0, reader) }
      }
    }
    var steps = InsideFollowing(path, value)
    for operation in commit.operations { steps.apply(operation) }
    let ends = InsideFollowing.Ends(before: part(after: index), after: part(after: index + 1))
    guard let (outcome, new) = steps.settle(ends) else { return nil }
    path = steps.path
    value = new
    isToldOfLast = outcome.report(of: new, rows: []) != nil
    return outcome
  }

  private func modified(
    by watch: RowWatch?, _ changes: PendingChanges, _ reader: any ObjectReader
  ) -> Report? {
    let rows = rows(of: watch, changes, reader)
    guard !rows.isEmpty else { return nil }
    return InsideOutcome(value).report(of: value, rows: rows)
  }

  /// The rows that lead to objects that changed, as steps in their order. O(the fewer of the objects
  /// that changed and of those in the rows, and found).
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

  /// What is wrong with the view in `reader`'s version; empty where nothing is. O(n).
  func violations(_ place: CollectionPlace, _ reader: any ObjectReader) -> [String] {
    let found = place.part(at: path, reader)
    var view = self
    view.learn()
    if view.holders != holders { return ["rows of links are not those inside the value"] }
    return found == value || !reader.exists(place.owner)
      ? [] : ["inside a value stands \(String(describing: found)), not \(value)"]
  }

  func leads(to object: ObjectID) -> Bool { holders[object] != nil }
}

extension Set<ValueStep> {
  /// Rows ascending; keys in any order.
  fileprivate var inOrder: [ValueStep] {
    sorted { a, b in
      if case .row(let first) = a, case .row(let second) = b { first < second } else { false }
    }
  }
}

extension CollectionPlace {
  /// What stands at the end of steps from the property; nil where they lead nowhere.
  func part(at steps: [ValueStep], _ reader: any ObjectReader) -> Value? {
    reader.part(of: property, owner, shape, at: steps)
  }
}
