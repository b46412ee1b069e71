package import HeraldModel
package import HeraldQuery

extension Observatory {
  /// Returns why the last commit that was taken did, or did not, reach a token, from the watches and
  /// views that decided it; `reader` must be at the commit's version. Where several commits were
  /// delivered as one change set, the last counts as delivered only if it concerns the token on its own.
  package func why(_ token: TokenID, _ reader: any ObjectReader) -> DeliveryReason {
    guard let observer = observers[token] else { return .ended(ends[token] ?? .invalidated) }
    guard let lastTaken, lastTaken.changes.record.lastVersion > observer.since else {
      return observer.isIdle ? .observedLater : .pending
    }
    let changes = lastTaken.changes
    guard observer.isIdle else { return .pending }
    if lastTaken.silenced.contains(token) { return .silenced }
    let account = observer.account
    if account.lastVersions.upperBound >= changes.record.lastVersion, let last = account.last {
      let isAlone = account.lastVersions.lowerBound >= changes.record.firstVersion
      if isAlone || isConcerned(observer, changes, reader) { return .delivered(last) }
    }
    let reason = whyNot(observer, changes, reader)
    guard lastTaken.isOneOfSeveral, case .untouched(let changed) = reason,
      isConcerned(observer, changes, reader)
    else { return reason }
    return .asBefore(changed: changed)
  }

  /// Returns the primary key of an object that the last commit deleted.
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
      guard let live = subject.live else { return .pending }
      let classID = subject.query.classID
      let lookedAt = live.lookedAt(changes, reader) + live.exchanged(changes, reader)
      let rows = Rows(
        classID: classID, filter: subject.filter, isRow: { live.isRow($0.number) },
        lookedAt: Set(lookedAt).map { ObjectID(classID, $0) },
        absence: { live.absence(of: $0, reader) })
      return why(rows, changes, reader)
    case .collection(let subject):
      guard let live = subject.live else { return .pending }
      let classID: ClassID?
      switch live.location.element {
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

  /// What `why` needs of the rows of a token.
  private struct Rows {
    /// Nil for rows of any class.
    let classID: ClassID?
    let filter: RowFilter
    let isRow: (ObjectID) -> Bool
    /// Objects that the token's watches found, or that were created or deleted.
    let lookedAt: [ObjectID]
    /// Returns why one of them is not a row.
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
    let absent = rows.lookedAt.filter { !rows.isRow($0) }.sorted().prefix(Self.namedObjects)
    if !absent.isEmpty {
      return .noRow(absent.map { AbsentRow($0, rows.absence($0)) }, changed: changed)
    }
    return rows.lookedAt.isEmpty ? .untouched(changed: changed) : .asBefore(changed: changed)
  }

  /// Returns the reason for an observer of one object: of its own properties, or of key paths.
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

  /// Whether an object that satisfies `isRow` is at most `limit` links from a changed one.
  private func isInReach(
    _ classID: ClassID?, _ limit: Int, _ changes: PendingChanges, _ reader: any ObjectReader,
    _ isRow: (ObjectID) -> Bool
  ) -> Bool {
    DeepWatch(DeepWatch.Key(classID: classID, limit: limit), reader.schema)
      .modifiedObjects(changes, reader).contains(where: isRow)
  }

  /// Returns the number of links, above `limit`, from an object that satisfies `isRow` to the nearest
  /// changed one; nil where that is `furthestNamed` or more beyond the limit.
  private func distance(
    _ classID: ClassID?, beyond limit: Int, _ changes: PendingChanges,
    _ reader: any ObjectReader, _ isRow: (ObjectID) -> Bool
  ) -> Int? {
    (limit + 1..<limit + Self.furthestNamed).first {
      isInReach(classID, $0, changes, reader, isRow)
    }
  }

  /// The number of links beyond the limit up to which a change is searched; `namedObjects` is the largest
  /// number of objects in a reason.
  private static let furthestNamed = 16
  private static let namedObjects = 3
}

extension Observer {
  fileprivate var isIdle: Bool {
    switch state {
    case .idle, .dead: true
    case .awaitingInitial, .pending: false
    }
  }
}

extension PropertySubject {
  /// Whether the observed property changed.
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

  /// Returns the objects that the watches found, and those that were created or deleted.
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
  /// Returns the objects added to the collection or removed from it, whether they match or not. O(n).
  fileprivate func exchanged(
    _ changes: PendingChanges, _ reader: any ObjectReader
  ) -> Set<ObjectNumber> {
    guard let location = view.collection?.location else { return [] }
    let before = PreviousReader(reader, before: changes.record)
    return Set(CollectionRows.objects(location, before))
      .symmetricDifference(CollectionRows.objects(location, reader)).subtracting([0])
  }
}

extension CollectionSubject.Live {
  func isRow(_ object: ObjectID, _ reader: any ObjectReader) -> Bool {
    switch view {
    case .list(let view): view.leads(to: object)
    case .set(let view): view.leads(to: object, location, reader)
    case .map(let view): view.holders?[object] != nil
    case .backlinks(let view): view.rows.contains(object.number)
    case .inside(let view): view.leads(to: object)
    }
  }
}
