import HeraldModel

/// A record, or several as one, with an identity by which what was found in it is remembered.
final class PendingChanges {
  /// Which objects of a class came and went.
  final class Population {
    let created: NumberRanges
    let deleted: [ObjectNumber: DeletedObject]

    init?(_ change: ClassChange?) {
      guard let change, !change.created.isEmpty || !change.deleted.isEmpty else { return nil }
      created = change.created
      deleted = change.deleted
    }

    /// Whether an object was there before and is there now.
    func isKept(_ number: ObjectNumber) -> Bool {
      !created.contains(number) && deleted[number] == nil
    }
  }

  let stamp: Int
  let record: CommitRecord
  /// The class asked for last: the tokens of a class mostly come one after another.
  private var lastClass: ClassID?
  private var lastPopulation: Population?

  init(stamp: Int, record: CommitRecord) {
    self.stamp = stamp
    self.record = record
  }

  func change(of classID: ClassID) -> ClassChange? { record.classes[classID] }

  /// Nil where no object of the class came or went.
  func population(of classID: ClassID) -> Population? {
    if lastClass != classID {
      lastClass = classID
      lastPopulation = Population(record.classes[classID])
    }
    return lastPopulation
  }
}

/// What was found last, kept as long as the question is about the same changes: observers that care
/// for the same path share one walk.
struct Answer<Found> {
  private var stamp = -1
  private var found: Found?

  /// What `find` answers, asked once for the same changes.
  mutating func value(for changes: PendingChanges, _ find: () -> Found) -> Found {
    if stamp == changes.stamp, let found { return found }
    let new = find()
    stamp = changes.stamp
    found = new
    return new
  }
}
