import HeraldModel
import HeraldQuery

/// Observed results of one class that are alike but for the span of values that their rows have of
/// one property: of thousands, those are found that a changed object was or may be a row of.
///
/// All look at the same objects again, since they watch the same paths. An object whose value was in
/// a span neither before nor after is nothing to the results of that span, whatever else of it
/// changed.
final class FilterGroup {
  struct Key: Hashable {
    let classID: ClassID
    let property: PropertyID
    let watches: Set<ObjectIdentifier>
  }

  let key: Key
  let paths: [PathWatch]
  /// Where rows are modified from afar.
  let deep: DeepWatch?
  private(set) var spans = SpanTable()
  /// The record that it was found concerned by last.
  var markedBy = -1

  init(_ key: Key, _ paths: [PathWatch], _ deep: DeepWatch?) {
    self.key = key
    self.paths = paths
    self.deep = deep
  }

  func insert(_ observer: Observer, _ span: ValueSpan) {
    spans.insert(SpanTable.Entry(lower: span.lower, upper: span.upper, observer: observer))
  }

  func remove(_ observer: Observer, _ span: ValueSpan) {
    spans.remove(SpanTable.Entry(lower: span.lower, upper: span.upper, observer: observer))
  }

  /// The observers that changes may concern, some more than once. O(changed objects · √observers and
  /// what is found), and never more than O(observers).
  func forEachConcerned(
    _ changes: PendingChanges, _ reader: any ObjectReader, _ body: (Observer) -> Void
  ) {
    let change = changes.change(of: key.classID)
    var rootLists = paths.map { $0.roots(changes, reader) }
    if let deep { rootLists.append(deep.modified(changes, reader)) }
    let count = rootLists.reduce(0) { $0 + $1.count } + (change?.population ?? 0)
    if count >= spans.count { return spans.forEach(body) }
    for number in rootLists.joined() {
      forEach(at: value(of: number, reader), body)
      if let old = change?.columns[key.property]?[number] { forEach(at: old, body) }
    }
    guard let change else { return }
    for number in change.created.numbers { forEach(at: value(of: number, reader), body) }
    let keyProperty = reader.schema.classSchema(key.classID)?.primaryKey?.id
    for object in change.deleted.values {
      let old = object.values[key.property]
      forEach(at: old ?? (keyProperty == key.property ? object.key : .null), body)
    }
  }

  private func value(of number: ObjectNumber, _ reader: any ObjectReader) -> Value {
    reader.value(key.property, of: ObjectID(key.classID, number))
  }

  private func forEach(at value: Value, _ body: (Observer) -> Void) {
    if let place = value.linePlace { spans.forEach(at: place, body) }
  }
}

extension ClassChange {
  /// How many objects came or went.
  fileprivate var population: Int { created.count + deleted.count }
}
