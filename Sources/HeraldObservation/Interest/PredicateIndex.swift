import HeraldModel
import HeraldQuery

/// A predicate index: observed results of one class that differ only in the interval of one property's
/// values. It finds, among thousands, the results whose rows a change may affect.
///
/// All members watch the same paths, so the same changed objects are candidates for all of them. An
/// object whose value was in an interval neither before nor after the change cannot affect the results of
/// that interval.
final class PredicateIndex {
  struct Key: Hashable {
    let classID: ClassID
    let property: PropertyID
    let watches: Set<ObjectIdentifier>
  }

  let key: Key
  let paths: [PathWatch]
  /// The watch of linked objects; nil where rows are modified by key paths alone.
  let deep: DeepWatch?
  @exclusivity(unchecked) private(set) var spans = IntervalIndex()
  /// The stamp of the last changes that concerned the group, so that they mark it once.
  @exclusivity(unchecked) var markedBy = -1
  /// What folded filters of the group have in common.
  @exclusivity(unchecked) var filterGroups: [FilterGroup] = []

  init(_ key: Key, _ paths: [PathWatch], _ deep: DeepWatch?) {
    self.key = key
    self.paths = paths
    self.deep = deep
  }

  func insert(_ observer: Observer, _ span: ValueInterval) {
    spans.insert(Self.entry(IntervalIndex.Member(observer), span))
  }

  func remove(_ member: IntervalIndex.Member, _ span: ValueInterval) {
    spans.remove(Self.entry(member, span))
  }

  /// Notes that a token was folded, or has an observer again.
  func replace(by member: IntervalIndex.Member, _ span: ValueInterval) {
    spans.replace(by: Self.entry(member, span))
  }

  private static func entry(
    _ member: IntervalIndex.Member, _ span: ValueInterval
  ) -> IntervalIndex.Entry {
    IntervalIndex.Entry(lower: span.lower, upper: span.upper, member: member)
  }

  /// Calls `body` with the observers that the changes may concern, and adds the tokens without one to `folded`, some more
  /// than once. O(changed objects · √observers + observers found), at most O(observers).
  func forEachConcerned(
    _ changes: PendingChanges, _ reader: any ObjectReader, _ folded: inout [TokenID],
    _ body: (Observer) -> Void
  ) {
    func visit(_ member: IntervalIndex.Member) {
      if let observer = member.observer {
        observer._withUnsafeGuaranteedRef(body)
      } else if let number = member.folded {
        folded.append(TokenID(rawValue: Int(number)))
      }
    }
    if let single = changes.single, isDirect(single.classID),
      case .value(let property, let number, let old) = single.kind
    {
      guard deep != nil || paths.contains(where: { $0.ownProperty == property }) else { return }
      if spans.count == 1 { return spans.forEach(visit) }
      let point = value(of: number, reader).intervalKey
      if let point { spans.forEach(at: point, visit) }
      if property == key.property, let before = old.intervalKey, before != point {
        spans.forEach(at: before, besides: point, visit)
      }
      return
    }
    let change = changes.change(of: key.classID)
    var rootLists = paths.map { $0.roots(changes, reader) }
    if let deep { rootLists.append(deep.modified(changes, reader)) }
    let count = rootLists.reduce(0) { $0 + $1.count } + (change?.population ?? 0)
    if count >= spans.count { return spans.forEach(visit) }
    let previous = change?[key.property].values ?? [:]
    for number in rootLists.joined() {
      forEach(at: value(of: number, reader), visit)
      if let old = previous[number] { forEach(at: old, visit) }
    }
    guard let change else { return }
    for number in change.created.numbers { forEach(at: value(of: number, reader), visit) }
    let keyProperty = reader.schema.classSchema(key.classID)?.primaryKey?.id
    for object in change.deleted.values {
      let old = object.values[key.property]
      forEach(at: old ?? (keyProperty == key.property ? object.key : .null), visit)
    }
  }

  /// Whether what a single change of a class concerns follows from the change itself.
  private func isDirect(_ classID: ClassID) -> Bool {
    guard classID == key.classID, deep?.isDirect(classID) ?? true else { return false }
    for path in paths where !path.isDirect { return false }
    return true
  }

  private func value(of number: ObjectNumber, _ reader: any ObjectReader) -> Value {
    reader.value(key.property, of: ObjectID(key.classID, number))
  }

  private func forEach(at value: Value, _ body: (IntervalIndex.Member) -> Void) {
    if let point = value.intervalKey { spans.forEach(at: point, body) }
  }
}

extension ClassChange {
  /// The number of objects created or deleted.
  fileprivate var population: Int { created.count + deleted.count }
}
