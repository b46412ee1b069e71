import Herald

/// What an import has done to the objects of a class.
struct ImportCounts {
  enum Outcome { case added, changed, unchanged }

  private(set) var added = 0
  private(set) var changed = 0
  /// The objects that had all that their records say.
  private var unchanged: Set<ObjectID> = []
  /// The links that lead nowhere and are nil.
  var nilLinkCount = 0

  mutating func note(_ outcome: Outcome, _ object: ObjectID) {
    switch outcome {
    case .added: added += 1
    case .changed: changed += 1
    case .unchanged: unchanged.insert(object)
    }
  }

  /// Notes that an object which was counted is changed after all.
  mutating func noteChange(of object: ObjectID) {
    if unchanged.remove(object) != nil { changed += 1 }
  }

  mutating func add(_ other: ImportCounts) {
    added += other.added
    changed += other.changed
    unchanged.formUnion(other.unchanged)
    nilLinkCount += other.nilLinkCount
  }

  /// `added 200, changed 90, unchanged 10`
  var text: String { "added \(added), changed \(changed), unchanged \(unchanged.count)" }
}
