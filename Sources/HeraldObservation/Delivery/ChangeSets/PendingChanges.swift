import HeraldModel
import HeraldQuery

/// A commit record, or several merged, with a stamp that identifies it in caches.
final class PendingChanges {
  /// The created and deleted objects of a class.
  final class Population {
    let created: NumberRanges
    let deleted: [ObjectNumber: DeletedObject]

    init?(_ change: ClassChange?) {
      guard let change, !change.created.isEmpty || !change.deleted.isEmpty else { return nil }
      created = change.created
      deleted = change.deleted
    }

    /// Whether an object exists before and after.
    func isKept(_ number: ObjectNumber) -> Bool {
      !created.contains(number) && deleted[number] == nil
    }
  }

  let stamp: Int
  /// The only change, where the record has no more: most commits of a program that is observed change one value.
  let single: SingleChange?
  let firstVersion: Int
  let lastVersion: Int
  /// Nil for a single change, until its dictionaries are read.
  @exclusivity(unchecked) private var kept: CommitRecord?
  /// Each of several commits on its own, in order; empty for one.
  let parts: [PendingChanges]
  /// The class requested last, cached since the tokens of a class mostly follow each other.
  @exclusivity(unchecked) private var lastClass: ClassID?
  @exclusivity(unchecked) private var lastPopulation: Population?
  /// The number of the `ValueSubscribers` that have all observers which the changes may concern; 0 where there are none.
  @exclusivity(unchecked) var subscribers = 0
  /// What the watches requested last have found, since the tokens of the same paths mostly follow each other, too.
  @exclusivity(unchecked) var lastWatches: ResultsWatches?
  @exclusivity(unchecked) var lastFound: ResultsWatches.Found?
  /// The last report that one row was modified, which that of the next token often equals, and its position.
  @exclusivity(unchecked) private var lastModification: Report?
  @exclusivity(unchecked) private var lastModified = -1
  /// The same for several rows.
  @exclusivity(unchecked) private var lastModifications: (positions: [Int], report: Report)?

  init(stamp: Int, record: CommitRecord, parts: [PendingChanges] = []) {
    self.stamp = stamp
    firstVersion = record.firstVersion
    lastVersion = record.lastVersion
    single = record.single
    kept = single == nil ? record : nil
    self.parts = parts
  }

  var record: CommitRecord {
    if let kept { return kept }
    var record = CommitRecord(version: lastVersion, classes: single?.classes ?? [:])
    record.firstVersion = firstVersion
    kept = record
    return record
  }

  /// The object whose value is the only change; nil for other changes.
  var onlyObject: ObjectID? {
    guard let single, case .value(_, let number, _) = single.kind else { return nil }
    return ObjectID(single.classID, number)
  }

  /// The object whose value is the only change; nil for other changes.
  func onlyObject(changing property: PropertyID, of classID: ClassID) -> ObjectNumber? {
    guard let single, single.classID == classID, case .value(property, let number, _) = single.kind
    else { return nil }
    return number
  }

  /// Each commit with a reader of its version; all as one where the schema changed on the way. `reader` is at the last
  /// version.
  func commits(
    _ reader: any ObjectReader
  ) -> [(changes: PendingChanges, reader: any ObjectReader)] {
    guard parts.count > 1, !record.schemaChanged else { return [(self, reader)] }
    var commits: [(changes: PendingChanges, reader: any ObjectReader)] = []
    var later: CommitRecord?
    for part in parts.reversed() {
      commits.append((part, later.map { PreviousReader(reader, before: $0) } ?? reader))
      later = later.map { part.record.merged(with: $0) } ?? part.record
    }
    return commits.reversed()
  }

  func change(of classID: ClassID) -> ClassChange? {
    if let single, single.classID != classID { return nil }
    return record.classes[classID]
  }

  /// Returns the report that rows were modified and nothing else.
  func modification(of position: Int) -> Report {
    if lastModified == position, let lastModification { return lastModification }
    let report = modification(of: [position])
    (lastModified, lastModification) = (position, report)
    return report
  }

  /// The same for several rows, ascending.
  func modification(of positions: [Int]) -> Report {
    if let last = lastModifications, last.positions == positions { return last.report }
    let report = Report.update(
      ChangeSet(modifications: positions, modificationsNew: positions), ownerDeleted: false)
    if positions.count > 1 { lastModifications = (positions, report) }
    return report
  }

  /// Returns the created and deleted objects of a class; nil where there are none.
  func population(of classID: ClassID) -> Population? {
    if case .value? = single?.kind { return nil }
    if lastClass != classID {
      lastClass = classID
      lastPopulation = Population(record.classes[classID])
    }
    return lastPopulation
  }
}

/// A cache of one result for the same changes, so that observers of the same path share one computation.
struct ChangeCache<Value> {
  private var stamp = -1
  private var value: Value?

  /// Returns the value that `compute` makes of the changes; calls it once for the same changes.
  mutating func value(for changes: PendingChanges, _ compute: () -> Value) -> Value {
    if stamp == changes.stamp, let value { return value }
    let new = compute()
    stamp = changes.stamp
    value = new
    return new
  }
}
