import HeraldModel
import Synchronization

/// The new objects of a session, by the placeholder ids in links to them.
///
/// The references are weak; entries of released objects are removed as the table grows.
struct Placeholders {
  private static let count = Atomic(0)

  /// Returns an id that is unique within the process.
  static func next(of classID: ClassID) -> ObjectID {
    ObjectID(classID, -count.add(1, ordering: .relaxed).newValue)
  }

  private struct Entry { weak var object: NewObject? }

  private var entries: [ObjectID: Entry] = [:]
  private var limit = 64

  subscript(link: ObjectID) -> NewObject? { entries[link]?.object }

  /// O(1) on average.
  mutating func note(_ object: NewObject) {
    if entries.count >= limit {
      entries = entries.filter { $0.value.object != nil }
      limit = max(64, 2 * entries.count)
    }
    entries[object.placeholder] = Entry(object: object)
  }
}
