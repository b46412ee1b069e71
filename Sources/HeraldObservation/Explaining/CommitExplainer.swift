package import HeraldModel
package import HeraldQuery

/// What is known of the last commit that was taken, to explain why it did, or did not, reach an observer.
/// The rest was recorded by what decided it: the marks by the observers, the objects that links led to by
/// the watches, and the deliveries by the observers' accounts.
struct CommitExplainer {
  /// The changes of the last commit alone.
  let changes: PendingChanges
  /// The tokens that the commit silenced.
  let silenced: Set<TokenID>
  /// Whether it was taken together with earlier commits, merged into one.
  let isOneOfSeveral: Bool
  /// Whether the observers that the commit marks have its stamp.
  var isMarked: Bool

  init(_ changes: PendingChanges, silenced: Set<TokenID>, isOneOfSeveral: Bool) {
    self.changes = changes
    self.silenced = silenced
    self.isOneOfSeveral = isOneOfSeveral
    isMarked = !isOneOfSeveral
  }

  var version: Int { changes.lastVersion }
}

extension Observatory {
  /// Returns why the last commit that was taken did, or did not, reach a token; `reader` must be at the
  /// commit's version. Where several commits were delivered as one change set, the last counts as
  /// delivered only if it concerns the token on its own.
  package func why(_ token: TokenID, _ reader: any ObjectReader) -> DeliveryReason {
    guard let observer = registry[token] else {
      return .ended(registry.ends[token] ?? .invalidated)
    }
    guard let explainer, explainer.version > observer.since else {
      return observer.isPending ? .pending : .observedLater
    }
    if observer.isPending { return .pending }
    if explainer.silenced.contains(token) { return .silenced }
    let (changes, account) = (explainer.changes, observer.account)
    if account.lastVersions.upperBound >= explainer.version, let last = account.last {
      let isAlone = account.lastVersions.lowerBound >= changes.firstVersion
      if isAlone || isConcerned(observer, explainer, reader) { return .delivered(last) }
    }
    let reason = observer.subject.whyNot(changes, reader)
    guard explainer.isOneOfSeveral else { return reason }
    // A subject that remembers what became of its last changes does not know which of them were those of the last commit.
    switch reason {
    case .untouched(let changed):
      return isConcerned(observer, explainer, reader) ? .asBefore(changed: changed) : reason
    case .asBefore(let changed), .conditionAsBefore(_, let changed):
      return isMarkedAlone(observer, explainer, reader) ? reason : .untouched(changed: changed)
    case .delivered, .pending, .silenced, .notRefreshed, .observedLater, .ended, .keyPathNotTouched,
      .tooDeep, .noRow:
      return reason
    }
  }

  /// Whether the last commit concerns an observer on its own.
  private func isConcerned(
    _ observer: Observer, _ explainer: CommitExplainer, _ reader: any ObjectReader
  ) -> Bool {
    isMarkedAlone(observer, explainer, reader)
      && observer.subject.isConcerned(explainer.changes, reader)
  }

  /// Whether the last commit may concern an observer on its own.
  private func isMarkedAlone(
    _ observer: Observer, _ explainer: CommitExplainer, _ reader: any ObjectReader
  ) -> Bool {
    if !explainer.isMarked { markAlone(explainer.changes, reader) }
    return observer.markedBy == explainer.changes.stamp
  }

  /// Marks the observers that the last commit concerns, where they were marked for several.
  private func markAlone(_ changes: PendingChanges, _ reader: any ObjectReader) {
    var marking = Marking(changes, interest, reader)
    marking.forEachConcerned { observer, _ in observer.markedBy = changes.stamp }
    for token in marking.folded { registry[token]?.markedBy = changes.stamp }
    marking.forEachPropertyObserver { observer, _ in observer.markedBy = changes.stamp }
    explainer?.isMarked = true
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
    case .keyPaths(let paths), .shown(let paths):
      if case .shown = filter, candidates.contains(where: isRow) {
        return .asBefore(changed: changed)
      }
      if changes.isInReach(of: classID, reader, isRow) {
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

// A watch stops at its limit: links beyond it are followed only on request.

extension PendingChanges {
  /// The number of links beyond a limit up to which a change is searched.
  private static let furthestNamed = 15

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
    return isInReach(of: object.classID, reader, isObject)
      ? .keyPathNotTouched(keyPaths: keyPaths, changed: changed) : .untouched(changed: changed)
  }

  /// Whether an object that satisfies `isRow` is as many links from a changed one as count without key
  /// paths.
  fileprivate func isInReach(
    of classID: ClassID?, _ reader: any ObjectReader, _ isRow: (ObjectID) -> Bool
  ) -> Bool {
    DeepWatch(DeepWatch.Key(classID: classID, limit: RowFilter.defaultDepth), reader.schema)
      .distance(self, reader, to: isRow) != nil
  }

  /// Returns the number of links, above `limit`, from an object that satisfies `isRow` to the nearest
  /// changed one; nil if it is more than `furthestNamed` beyond the limit.
  fileprivate func distance(
    to classID: ClassID?, beyond limit: Int, _ reader: any ObjectReader,
    _ isRow: (ObjectID) -> Bool
  ) -> Int? {
    DeepWatch(
      DeepWatch.Key(classID: classID, limit: limit + Self.furthestNamed), reader.schema
    ).distance(self, reader, to: isRow).map { max($0, limit + 1) }
  }
}
