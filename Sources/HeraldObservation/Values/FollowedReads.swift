import HeraldModel
import HeraldQuery

/// What is bound to a store and may read it besides its rows, such as a query.
protocol ReadingStore {
  var reads: [StoredRead] { get }
  /// Returns it with what it reads at a version.
  ///
  /// - Parameter known: the values of some of its reads, by their place in order, which are not computed again.
  func bound(at reader: any ObjectReader, _ known: [Int: Value]) throws(QueryError) -> Self
}

extension BoundQuery: ReadingStore {}
extension BoundGrouping: ReadingStore {}
extension BoundValue: ReadingStore {}

/// What an observed query reads besides its rows, followed from version to version, so that the query is bound again
/// when, and only when, something of it differs.
///
/// A number of rows, or an aggregate of them, is followed as observed rows and groups are: a change costs what these cost,
/// and does not read the other rows.
final class FollowedReads<Query: ReadingStore> {
  /// The query as it was bound last.
  private(set) var query: Query
  private var all: [FollowedRead] = []
  // The observer has what has these.
  private unowned let observer: Observer
  private unowned let interest: Interest

  /// Subscribes an observer to what a query reads. `reader` is at the version that the query was bound at.
  init(
    _ query: Query, for observer: Observer, _ interest: Interest, _ reader: any ObjectReader
  ) {
    self.query = query
    self.observer = observer
    self.interest = interest
    all = query.reads.map { FollowedRead($0, observer, interest, reader) }
  }

  /// Advances to `reader`'s version; returns the query with what it reads now, or nil where nothing of that differs.
  /// Errors: those of binding the query.
  func advance(
    _ changes: PendingChanges, _ reader: any ObjectReader
  ) throws(QueryError) -> Query? {
    var differing: Set<Int> = []
    for (index, read) in all.enumerated() where read.differs(after: changes, reader) {
      differing.insert(index)
    }
    if differing.isEmpty { return nil }
    query = try query.bound(at: reader, followed(without: differing))
    follow(query.reads, differing, reader)
    return query
  }

  /// The values that are followed, but those that were bound with one that differs.
  private func followed(without differing: Set<Int>) -> [Int: Value] {
    var values: [Int: Value] = [:]
    for (index, read) in all.enumerated() {
      guard !(index - read.read.innerCount..<index).contains(where: differing.contains) else {
        continue
      }
      values[index] = read.followed
    }
    return values
  }

  /// Follows the reads of the query, of which some differ: what was bound with one of these is another operand now.
  private func follow(_ reads: [StoredRead], _ differing: Set<Int>, _ reader: any ObjectReader) {
    if reads.count != all.count {
      leave()
      all = reads.map { FollowedRead($0, observer, interest, reader) }
      return
    }
    for (index, read) in reads.enumerated() {
      let isObject = read.object != nil && differing.contains(index)
      if isObject || (index - read.innerCount..<index).contains(where: differing.contains) {
        all[index].leave(observer, interest)
        all[index] = FollowedRead(read, observer, interest, reader)
      } else {
        all[index].read = read
      }
    }
  }

  /// The classes on which the reads depend.
  var classes: Set<ClassID> {
    var found: Set<ClassID> = []
    for dependency in query.reads.flatMap(\.dependencies) {
      switch dependency {
      case .population(let classID): found.insert(classID)
      case .path(let path, from: _): found.formUnion(path.steps.map(\.classID))
      }
    }
    return found
  }

  /// Removes the observer from what it was subscribed to.
  func leave() {
    for read in all { read.leave(observer, interest) }
    all = []
  }
}

extension FollowedReads<BoundQuery> {
  /// Replaces the watches of the paths that the rows of the query depend on by those of the query as it is now: a
  /// condition that one value makes constant depends on nothing.
  func watches(
    instead old: ResultsWatches, _ filter: RowFilter, _ schema: Schema
  ) -> ResultsWatches {
    let new = interest.watches(of: query, filter, schema)
    if new !== old {
      interest.add(observer, to: new.every)
      interest.remove(observer, from: old.every)
    }
    interest.release(old)
    return new
  }
}

/// One value that an observed query reads, with the subscriptions to what it depends on.
private final class FollowedRead {
  var read: StoredRead
  /// The watches of its paths, with the objects that these begin at, or nil for any.
  private var watches: [(watch: PathWatch, objects: [ObjectID]?)] = []
  private var populations: [ClassID] = []
  /// The rows whose number or aggregate it is; nil for another read.
  private let rows: ResultsSubject?
  private let groups: GroupsView?
  /// The aggregate of no rows.
  private let ofNothing: Value
  /// The number, or the aggregate, at the last version.
  private var last = Value.null

  init(
    _ read: StoredRead, _ observer: Observer, _ interest: Interest, _ reader: any ObjectReader
  ) {
    self.read = read
    let aggregate = read.aggregate
    rows = aggregate.map {
      ResultsSubject($0.query, .keyPaths($0.grouping?.memberPaths ?? []), isIndexed: false)
    }
    if let rows { _ = rows.begin(observer, interest, reader) }
    groups = aggregate?.grouping.map { [rows] in
      GroupsView($0, of: rows?.live?.members ?? [], reader)
    }
    ofNothing = aggregate?.ofNothing ?? .null
    if rows != nil {
      last = value
      return
    }
    for dependency in read.dependencies {
      switch dependency {
      case .population(let classID):
        populations.append(classID)
        interest.add(observer, toRowsOf: classID)
      case .path(let path, from: let objects):
        let watch = interest.watch(path.learned(reader.schema) ?? path)
        watches.append((watch, objects))
        interest.add(observer, to: watch, from: objects)
      }
    }
  }

  /// The value that is kept up to date from change to change; nil for another read.
  var followed: Value? { rows == nil ? nil : last }

  func leave(_ observer: Observer, _ interest: Interest) {
    rows?.leave(observer, interest)
    for (watch, objects) in watches {
      interest.remove(observer, from: watch, from: objects)
      interest.release(watch)
    }
    for classID in populations { interest.remove(observer, fromRowsOf: classID) }
  }

  /// The number of the rows, or their aggregate.
  private var value: Value {
    guard let groups else { return .int(rows?.live?.view.count ?? 0) }
    return groups.rows(at: 0..<1).first?.values.first ?? ofNothing
  }

  /// Advances to `reader`'s version; returns whether the value is another, or may be.
  func differs(after changes: PendingChanges, _ reader: any ObjectReader) -> Bool {
    guard let live = rows?.live else {
      return isTouched(by: changes, reader) && !read.isCurrent(reader)
    }
    let delta = live.advanceMembers(changes, reader)
    if let groups {
      for member in delta.left { groups.leave(member) }
      for member in delta.entered { groups.enter(member.member, member.object, reader) }
      groups.endCommit(nil, reader)
      _ = groups.changeSet(reader)
    }
    defer { last = value }
    return last != value
  }

  private func isTouched(by changes: PendingChanges, _ reader: any ObjectReader) -> Bool {
    if populations.contains(where: { changes.population(of: $0) != nil }) { return true }
    return watches.contains { watch, objects in
      let roots = watch.roots(changes, reader)
      guard let objects else { return !roots.isEmpty }
      return objects.contains { object in
        roots.contains(object.number)
          || changes.change(of: object.classID)?.deleted[object.number] != nil
      }
    }
  }
}
