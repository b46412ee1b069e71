import HeraldModel
import HeraldQuery

extension CollectionSubject {
  func describe(in explanation: inout TokenExplanation, _ schema: Schema) {
    let property = explanation.depend(on: root.property, of: root.object.classID, schema)
    guard let live else {
      explanation.view = [property]
      return
    }
    explanation.view.append(
      place != nil
        ? "a collection nested in a value of \(property)"
        : "\(live.location.shape.word) \(property)")
    explanation.depend(on: live.rowWatch, schema)
    if let origin = live.location.origin {
      _ = explanation.depend(on: origin.property, of: origin.classID, schema)
    }
    explanation.rows = live.view.count
    explanation.memory = live.view.byteCount
  }

  func isConcerned(_ changes: PendingChanges, _ reader: any ObjectReader) -> Bool {
    guard let live else { return false }
    if live.hasChangedRows(changes, reader) { return true }
    let modified = live.rowWatch?.modifiedObjects(changes, reader) ?? []
    return modified.contains { live.view.leads(to: $0, live.location, reader) }
  }

  func whyNot(_ changes: PendingChanges, _ reader: any ObjectReader) -> DeliveryReason {
    guard let live else { return .pending }
    let classID: ClassID?
    switch live.location.element {
    case .objects(let rowClass): classID = rowClass
    case .any: classID = nil
    case .values: return .untouched(changed: changes.record.changedNames(reader.schema))
    }
    let modified = live.rowWatch?.modifiedObjects(changes, reader) ?? []
    return ExplainedRows(
      classID: classID, filter: filter,
      isRow: { live.view.leads(to: $0, live.location, reader) },
      candidates: classID == nil ? [] : Array(modified),
      absence: { reader.exists($0) ? .notInCollection : .deleted }
    ).whyNot(changes, reader)
  }
}

extension CollectionSubject.Live {
  /// Whether rows were inserted, deleted, moved or given another value.
  fileprivate func hasChangedRows(_ changes: PendingChanges, _ reader: any ObjectReader) -> Bool {
    if let origin = location.origin {
      return changes.record.backlinkChanges(through: origin.classID, origin.property, reader)
        .contains(location.owner)
    }
    let (property, number) = (location.property, location.owner.number)
    guard let change = changes.change(of: location.owner.classID) else { return false }
    return location.shape != .single && change[property].contains(number)
  }
}

extension PropertyShape {
  fileprivate var word: String {
    switch self {
    case .single: "value"
    case .list: "list"
    case .set: "set"
    case .map: "map"
    case .backlinks: "backlinks"
    }
  }
}
