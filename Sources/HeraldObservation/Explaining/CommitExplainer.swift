package import HeraldModel
package import HeraldQuery

/// Explains why the last commit that was taken did, or did not, reach an observer.
struct CommitExplainer {
  /// The changes of the last commit alone.
  let changes: PendingChanges
  /// The tokens that the commit silenced.
  private let silenced: Set<TokenID>
  /// Whether it was taken together with earlier commits, merged into one.
  private let isOneOfSeveral: Bool

  init(_ changes: PendingChanges, silenced: Set<TokenID>, isOneOfSeveral: Bool) {
    self.changes = changes
    self.silenced = silenced
    self.isOneOfSeveral = isOneOfSeveral
  }

  var version: Int { changes.record.lastVersion }

  func why(
    _ observer: Observer, _ interest: Interest, _ reader: any ObjectReader
  ) -> DeliveryReason {
    if observer.isPending { return .pending }
    if silenced.contains(observer.id) { return .silenced }
    let (subject, account) = (observer.subject, observer.account)
    if account.lastVersions.upperBound >= version, let last = account.last {
      let isAlone = account.lastVersions.lowerBound >= changes.record.firstVersion
      if isAlone || subject.isConcerned(changes, interest, reader) { return .delivered(last) }
    }
    let reason = subject.whyNot(changes, reader)
    guard isOneOfSeveral, case .untouched(let changed) = reason,
      subject.isConcerned(changes, interest, reader)
    else { return reason }
    return .asBefore(changed: changed)
  }
}

extension Observatory {
  /// Returns why the last commit that was taken did, or did not, reach a token, from the watches and
  /// views that decided it; `reader` must be at the commit's version. Where several commits were
  /// delivered as one change set, the last counts as delivered only if it concerns the token on its own.
  package func why(_ token: TokenID, _ reader: any ObjectReader) -> DeliveryReason {
    guard let observer = registry[token] else {
      return .ended(registry.ends[token] ?? .invalidated)
    }
    guard let explainer, explainer.version > observer.since else {
      return observer.isPending ? .pending : .observedLater
    }
    return explainer.why(observer, interest, reader)
  }

  /// Returns the primary key of an object that the last commit deleted.
  package func lastKey(of object: ObjectID) -> Value? {
    explainer?.changes.change(of: object.classID)?.deleted[object.number]?.key
  }
}

// MARK: - Rows

/// What the reason for an observer of rows depends on.
struct ExplainedRows {
  /// Nil for rows of any class.
  let classID: ClassID?
  let filter: RowFilter
  let isRow: (ObjectID) -> Bool
  /// Objects that the token's watches found, or that were created or deleted.
  let candidates: [ObjectID]
  /// Returns why one of them is not a row.
  let absence: (ObjectID) -> AbsentRow.Absence
  /// The largest number of objects in a reason.
  private static let namedObjects = 3

  func whyNot(_ changes: PendingChanges, _ reader: any ObjectReader) -> DeliveryReason {
    let changed = changes.record.changedNames(reader.schema)
    switch filter {
    case .keyPaths(let paths):
      if changes.isInReach(of: classID, RowFilter.defaultDepth, reader, isRow) {
        return .keyPathNotTouched(
          keyPaths: paths.map { $0.text(reader.schema) }, changed: changed)
      }
    case .deep(let limit):
      if let distance = changes.distance(to: classID, beyond: limit, reader, isRow) {
        return .tooDeep(limit: limit, distance: distance, changed: changed)
      }
    }
    let absent = candidates.filter { !isRow($0) }.sorted().prefix(Self.namedObjects)
    if !absent.isEmpty {
      return .noRow(absent.map { AbsentRow($0, absence($0)) }, changed: changed)
    }
    return candidates.isEmpty ? .untouched(changed: changed) : .asBefore(changed: changed)
  }
}

// MARK: - Distances

extension PendingChanges {
  /// The number of links beyond a limit up to which a change is searched.
  private static let furthestNamed = 16

  /// Returns the reason for an observer of one object: of its own properties, or of key paths.
  func whyNot(
    _ object: ObjectID, keyPaths: [String]?, _ reader: any ObjectReader
  ) -> DeliveryReason {
    let changed = record.changedNames(reader.schema)
    let isObject = { $0 == object }
    guard let keyPaths else {
      return distance(to: object.classID, beyond: 0, reader, isObject)
        .map { .tooDeep(limit: 0, distance: $0, changed: changed) } ?? .untouched(changed: changed)
    }
    return isInReach(of: object.classID, RowFilter.defaultDepth, reader, isObject)
      ? .keyPathNotTouched(keyPaths: keyPaths, changed: changed) : .untouched(changed: changed)
  }

  /// Whether an object that satisfies `isRow` is at most `limit` links from a changed one.
  fileprivate func isInReach(
    of classID: ClassID?, _ limit: Int, _ reader: any ObjectReader, _ isRow: (ObjectID) -> Bool
  ) -> Bool {
    DeepWatch(DeepWatch.Key(classID: classID, limit: limit), reader.schema)
      .modifiedObjects(self, reader).contains(where: isRow)
  }

  /// Returns the number of links, above `limit`, from an object that satisfies `isRow` to the nearest
  /// changed one; nil where that is `furthestNamed` or more beyond the limit.
  fileprivate func distance(
    to classID: ClassID?, beyond limit: Int, _ reader: any ObjectReader,
    _ isRow: (ObjectID) -> Bool
  ) -> Int? {
    (limit + 1..<limit + Self.furthestNamed).first { isInReach(of: classID, $0, reader, isRow) }
  }
}
