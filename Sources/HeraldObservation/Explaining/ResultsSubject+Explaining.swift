import HeraldModel
import HeraldQuery

extension ResultsSubject {
  func describe(in explanation: inout TokenExplanation, _ schema: Schema) {
    let name = schema.name(of: query.classID)
    explanation.classes.append(name)
    if let source = observedProperty {
      let property = explanation.depend(on: source.property, of: source.object.classID, schema)
      explanation.view.append("rows of \(property), in its order")
    } else {
      explanation.view.append("rows of \(name), in the order of creation")
    }
    explanation.depend(on: query.predicate.dependencies, schema)
    if !query.predicate.isAlways { explanation.view.append("filtered") }
    for stage in query.stages { explanation.describe(stage, schema) }
    guard let live else { return }
    if let span = query.predicate.span, live.predicateIndex != nil {
      let property = schema.name(of: span.property, query.classID)
      explanation.view.append("concerned only by objects with \(name).\(property) in an interval")
    }
    for case .path(let path, from: _) in query.reads.flatMap(\.dependencies) {
      explanation.depend(on: [path], schema)
    }
    explanation.depend(on: live.watches.rows, schema)
    explanation.rows = live.view.count
    explanation.memory = live.view.byteCount
  }

  func isConcerned(_ changes: PendingChanges, _ reader: any ObjectReader) -> Bool {
    previous(changes, reader).map { $0.view.report(changes, reader, $0.next) != nil } ?? false
  }

  /// The view at the version before changes, with the query to advance it to if what that reads is another; nil before the
  /// first call. O(rows · log rows).
  func previous(
    _ changes: PendingChanges, _ reader: any ObjectReader
  ) -> (view: LiveResults, next: BoundQuery?, reader: any ObjectReader)? {
    guard let live else { return nil }
    let before = PreviousReader(reader, before: changes.record)
    let rows = live.view.collection?.location.map { CollectionRows($0, before) }
    let old = query.atPresent(before)
    let view = LiveResults(ResultsView(old, of: rows, before), live.watches, shown: live.shown)
    let isReadAnew = !query.reads.isEmpty && !old.reads.allSatisfy { $0.isCurrent(reader) }
    return (view, isReadAnew ? query : nil, before)
  }

  func whyNot(_ changes: PendingChanges, _ reader: any ObjectReader) -> DeliveryReason {
    guard let live else { return .pending }
    let candidates = live.candidates(changes, reader).union(live.exchanged(changes, reader))
    return ExplainedRows(
      classID: query.classID, filter: filter, isRow: { live.isRow($0.number) },
      candidates: candidates.map { ObjectID(query.classID, $0) },
      absence: { live.absence(of: $0, reader) }
    ).whyNot(changes, reader)
  }
}

extension LiveResults {
  fileprivate func isRow(_ number: ObjectNumber) -> Bool {
    guard let collection = view.collection else { return view.rows.position(of: number) != nil }
    return collection.rows(of: number).contains { view.rows.position(of: $0) != nil }
  }

  /// Returns the objects that the watches found, and those that were created or deleted.
  fileprivate func candidates(
    _ changes: PendingChanges, _ reader: any ObjectReader
  ) -> Set<ObjectNumber> {
    let concerned = watches.found(changes, reader)
    var found = Set(concerned.matching + concerned.rekeyed)
    found.formUnion(concerned.modified)
    if let population = changes.population(of: view.query.classID) {
      found.formUnion(population.created.numbers)
      found.formUnion(population.deleted.keys)
    }
    return found
  }

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

extension LiveResults {
  /// Returns why an object that is not a row is not one. O(stages · log rows).
  fileprivate func absence(of object: ObjectID, _ reader: any ObjectReader) -> AbsentRow.Absence {
    guard reader.exists(object) else { return .deleted }
    let rows = view.collection.map { $0.rows(of: object.number) } ?? [object.number]
    // Of several rows of an object, the one that passes the most stages.
    return rows.map(view.obstacle).max { $0.stage < $1.stage }?.absence ?? .notInCollection
  }
}

extension ResultsView {
  /// The index of the stage that rejects a row, and why; `row` must not be among the final rows.
  fileprivate func obstacle(to row: Int) -> (stage: Int, absence: AbsentRow.Absence) {
    guard holds(row) else { return (-1, .notMatching) }
    for (index, stage) in stages.enumerated() {
      switch stage {
      case .ordered(let stage):
        if stage.position(of: row) == nil { return (index, .beyondLimit) }
      case .distinct(let stage):
        if !stage.passed.contains(row) { return (index, .notDistinct) }
      case .filter(let stage):
        if !stage.passed.contains(row) { return (index, .notMatching) }
      }
    }
    return (stages.count, .beyondLimit)
  }
}
