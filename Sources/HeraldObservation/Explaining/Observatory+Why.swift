package import HeraldModel
package import HeraldQuery

extension Observatory {
  /// Why the last commit that was taken did, or did not, reach a token. Answered by the watches and
  /// views that decided it, from its record; `reader` must stand at its version. A token that was told
  /// of several commits at once was reached by the last where that alone concerns it.
  package func why(_ token: TokenID, _ reader: any ObjectReader) -> DeliveryReason {
    guard let observer = observers[token] else { return .ended(ends[token] ?? .invalidated) }
    guard let lastTaken, lastTaken.changes.record.lastVersion > observer.since else {
      return observer.isIdle ? .observedLater : .owed
    }
    let changes = lastTaken.changes
    guard observer.isIdle else { return .owed }
    if lastTaken.silenced.contains(token) { return .silenced }
    let account = observer.account
    if account.lastVersions.upperBound >= changes.record.lastVersion, let last = account.last {
      let isAlone = account.lastVersions.lowerBound >= changes.record.firstVersion
      if isAlone || isConcerned(observer, changes, reader) { return .told(last) }
    }
    let reason = whyNot(observer, changes, reader)
    guard lastTaken.isOneOfSeveral, case .untouched(let changed) = reason,
      isConcerned(observer, changes, reader)
    else { return reason }
    return .asBefore(changed: changed)
  }

  /// The primary key of an object that the last commit deleted.
  package func lastKey(of object: ObjectID) -> Value? {
    lastTaken?.changes.change(of: object.classID)?.deleted[object.number]?.key
  }

  private func whyNot(
    _ observer: Observer, _ changes: PendingChanges, _ reader: any ObjectReader
  ) -> DeliveryReason {
    let changed = changes.record.changedNames(reader.schema)
    switch observer.subject {
    case .store, .property: return .untouched(changed: changed)
    case .projection(let subject):
      let names = subject.fields.map(\.name)
      return why(subject.object, keyPaths: names, changes, reader)
    case .object(let subject):
      switch subject.filter {
      case .everything: return why(subject.object, keyPaths: nil, changes, reader)
      case .keyPaths(let paths, _):
        let names = paths.map { $0.text(reader.schema) }
        return why(subject.object, keyPaths: names, changes, reader)
      }
    case .results(let subject):
      guard let live = subject.live else { return .owed }
      let classID = subject.query.classID
      let lookedAt = live.lookedAt(changes, reader) + live.exchanged(changes, reader)
      let rows = Rows(
        classID: classID, filter: subject.filter, isRow: { live.isRow($0.number) },
        lookedAt: Set(lookedAt).map { ObjectID(classID, $0) },
        absence: { live.absence(of: $0, reader) })
      return why(rows, changes, reader)
    case .collection(let subject):
      guard let live = subject.live else { return .owed }
      let classID: ClassID?
      switch live.place.element {
      case .objects(let rowClass): classID = rowClass
      case .any: classID = nil
      case .values: return .untouched(changed: changed)
      }
      let lookedAt = live.rowWatch?.modifiedObjects(changes, reader) ?? []
      let rows = Rows(
        classID: classID, filter: subject.filter, isRow: { live.isRow($0, reader) },
        lookedAt: classID == nil ? [] : Array(lookedAt),
        absence: { reader.exists($0) ? .notInCollection : .deleted })
      return why(rows, changes, reader)
    }
  }

  /// The rows of a token, as far as they are asked about.
  private struct Rows {
    /// Nil for rows of any class.
    let classID: ClassID?
    let filter: RowFilter
    let isRow: (ObjectID) -> Bool
    /// Objects that the token's watches found, or that came or went.
    let lookedAt: [ObjectID]
    /// What keeps one of them out.
    let absence: (ObjectID) -> AbsentRow.Absence
  }

  private func why(
    _ rows: Rows, _ changes: PendingChanges, _ reader: any ObjectReader
  ) -> DeliveryReason {
    let changed = changes.record.changedNames(reader.schema)
    switch rows.filter {
    case .keyPaths(let paths):
      if isInReach(rows.classID, RowFilter.documentedDepth, changes, reader, rows.isRow) {
        return .keyPathNotTouched(
          keyPaths: paths.map { $0.text(reader.schema) }, changed: changed)
      }
    case .deep(let limit):
      if let distance = distance(rows.classID, beyond: limit, changes, reader, rows.isRow) {
        return .tooDeep(limit: limit, distance: distance, changed: changed)
      }
    }
    let strangers = rows.lookedAt.filter { !rows.isRow($0) }.sorted().prefix(Self.namedObjects)
    if !strangers.isEmpty {
      return .noRow(strangers.map { AbsentRow($0, rows.absence($0)) }, changed: changed)
    }
    return rows.lookedAt.isEmpty ? .untouched(changed: changed) : .asBefore(changed: changed)
  }

  /// Of an object that hears of its own properties, or of what key paths name.
  private func why(
    _ object: ObjectID, keyPaths: [String]?, _ changes: PendingChanges,
    _ reader: any ObjectReader
  ) -> DeliveryReason {
    let changed = changes.record.changedNames(reader.schema)
    let isObject = { $0 == object }
    if let keyPaths {
      let isNear = isInReach(
        object.classID, RowFilter.documentedDepth, changes, reader, isObject)
      return isNear
        ? .keyPathNotTouched(keyPaths: keyPaths, changed: changed) : .untouched(changed: changed)
    }
    return distance(object.classID, beyond: 0, changes, reader, isObject)
      .map { .tooDeep(limit: 0, distance: $0, changed: changed) } ?? .untouched(changed: changed)
  }

  /// Whether a changed object is at most so many links from one that is asked about.
  private func isInReach(
    _ classID: ClassID?, _ limit: Int, _ changes: PendingChanges, _ reader: any ObjectReader,
    _ isAsked: (ObjectID) -> Bool
  ) -> Bool {
    DeepWatch(DeepWatch.Key(classID: classID, limit: limit), reader.schema)
      .modifiedObjects(changes, reader).contains(where: isAsked)
  }

  /// How many links the nearest changed object is from one that is asked about; nil where none is
  /// near enough to be worth naming.
  private func distance(
    _ classID: ClassID?, beyond limit: Int, _ changes: PendingChanges,
    _ reader: any ObjectReader, _ isAsked: (ObjectID) -> Bool
  ) -> Int? {
    (limit + 1..<limit + Self.furthestNamed).first {
      isInReach(classID, $0, changes, reader, isAsked)
    }
  }

  /// How many links beyond the limit a change is looked for, and how many objects are named.
  private static let furthestNamed = 16
  private static let namedObjects = 3
}

extension RowFilter {
  /// How far a change is heard of without key paths.
  static let documentedDepth = 4
}

extension Observer {
  fileprivate var isIdle: Bool {
    switch state {
    case .idle, .dead: true
    case .awaitingInitial, .owed: false
    }
  }
}

extension PropertySubject {
  /// Whether the property of the object is among what changed.
  func isTouched(_ changes: PendingChanges) -> Bool {
    guard let property else { return false }
    var isFound = false
    changes.change(of: object.classID)?.forEachObject(changing: property) {
      if $0 == object.number { isFound = true }
    }
    return isFound
  }
}

extension LiveResults {
  func isRow(_ number: ObjectNumber) -> Bool {
    guard let collection = view.collection else { return view.rows.position(of: number) != nil }
    return collection.rows(of: number).contains { view.rows.position(of: $0) != nil }
  }

  /// The objects that the watches found, and those that came and went.
  func lookedAt(
    _ changes: PendingChanges, _ reader: any ObjectReader
  ) -> [ObjectNumber] {
    var found = Set(watches.roots(changes, reader))
    found.formUnion(rowWatch.modified(changes, reader))
    if let population = changes.population(of: view.query.classID) {
      found.formUnion(population.created.numbers)
      found.formUnion(population.deleted.keys)
    }
    return found.sorted()
  }
}

extension LiveResults {
  /// The objects that came to the collection, or left it, whether they match or not. O(its length).
  fileprivate func exchanged(
    _ changes: PendingChanges, _ reader: any ObjectReader
  ) -> Set<ObjectNumber> {
    guard let place = view.collection?.place else { return [] }
    let former = FormerReader(reader, before: changes.record)
    return Set(CollectionRows.objects(place, former))
      .symmetricDifference(CollectionRows.objects(place, reader)).subtracting([0])
  }
}

extension CollectionSubject.Live {
  func isRow(_ object: ObjectID, _ reader: any ObjectReader) -> Bool {
    switch view {
    case .list(let view): view.leads(to: object)
    case .set(let view): view.leads(to: object, place, reader)
    case .map(let view): view.holders?[object] != nil
    case .backlinks(let view): view.rows.contains(object.number)
    case .inside(let view): view.leads(to: object)
    }
  }
}
