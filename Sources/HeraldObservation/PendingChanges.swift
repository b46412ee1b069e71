import HeraldModel

/// A record, or several as one, with an identity by which what was found in it is remembered.
final class PendingChanges {
  let stamp: Int
  let record: CommitRecord

  init(stamp: Int, record: CommitRecord) {
    self.stamp = stamp
    self.record = record
  }

  func change(of classID: ClassID) -> ClassChange? { record.classes[classID] }
}

/// The answer found last, kept as long as the question is about the same changes: observers that
/// care for the same path share one walk.
struct Memo<Answer> {
  private var stamp = -1
  private var answer: Answer?

  init() {}

  mutating func answer(for changes: PendingChanges, _ find: () -> Answer) -> Answer {
    if stamp == changes.stamp, let answer { return answer }
    let found = find()
    stamp = changes.stamp
    answer = found
    return found
  }

  mutating func forget() {
    stamp = -1
    answer = nil
  }
}
