import HeraldModel

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
  let record: CommitRecord
  /// The class requested last, cached since the tokens of a class mostly follow each other.
  private var lastClass: ClassID?
  private var lastPopulation: Population?

  init(stamp: Int, record: CommitRecord) {
    self.stamp = stamp
    self.record = record
  }

  func change(of classID: ClassID) -> ClassChange? { record.classes[classID] }

  /// Returns the created and deleted objects of a class; nil where there are none.
  func population(of classID: ClassID) -> Population? {
    if lastClass != classID {
      lastClass = classID
      lastPopulation = Population(record.classes[classID])
    }
    return lastPopulation
  }
}

/// A cache of one result for the same changes, so that observers of the same path share one computation.
struct ChangeCache<Found> {
  private var stamp = -1
  private var found: Found?

  /// Returns the result of `find`, which is called once for the same changes.
  mutating func value(for changes: PendingChanges, _ find: () -> Found) -> Found {
    if stamp == changes.stamp, let found { return found }
    let new = find()
    stamp = changes.stamp
    found = new
    return new
  }
}
