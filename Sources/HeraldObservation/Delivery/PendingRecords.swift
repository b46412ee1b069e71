/// The records pending for some token, and what they merge to.
struct PendingRecords {
  /// The number of the first record.
  private var first = 0
  private var records: [PendingChanges] = []
  /// Several records merged, by the number of the first.
  private var merged: [Int: PendingChanges] = [:]
  /// The merged records returned last, which most tokens share.
  private var last: (number: Int, changes: PendingChanges)?
  private var lastStamp = 0

  var isEmpty: Bool { records.isEmpty }

  /// The number of the next record.
  var end: Int { first + records.count }

  /// Returns changes with a new stamp.
  mutating func stamped(
    _ record: CommitRecord, parts: [PendingChanges] = []
  ) -> PendingChanges {
    lastStamp += 1
    return PendingChanges(stamp: lastStamp, record: record, parts: parts)
  }

  /// Adds a record and returns its number.
  mutating func append(_ changes: PendingChanges) -> Int {
    let number = end
    records.append(changes)
    if !merged.isEmpty { merged = [:] }
    if last != nil { last = nil }
    return number
  }

  /// Returns every record from a number on, merged into one; nil where there is none.
  mutating func changes(since number: Int) -> PendingChanges? {
    guard number < end else { return nil }
    if number == end - 1 { return records[records.count - 1] }
    if let last, last.number == number { return last.changes }
    if let last { merged[last.number] = last.changes }
    let changes = merged[number] ?? merge(since: number)
    merged[number] = changes
    last = (number, changes)
    return changes
  }

  private mutating func merge(since number: Int) -> PendingChanges {
    let all = records[(number - first)...]
    var record = all[all.startIndex].record
    for later in all.dropFirst() { record.merge(later.record) }
    return stamped(record, parts: all.flatMap { $0.parts.isEmpty ? [$0] : $0.parts })
  }

  /// Removes every record, once none is pending.
  mutating func clear() {
    first = end
    records.removeAll(keepingCapacity: records.count == 1)
    if !merged.isEmpty { merged = [:] }
    if last != nil { last = nil }
  }

  /// The invariants that do not hold where no token is pending.
  var violationsWhenIdle: [String] {
    !merged.isEmpty && records.isEmpty ? ["changes without records"] : []
  }
}
