import Herald

@testable import TestModel

/// The rows that one token has delivered, with the values of each row's object at that time.
final class UnrulyMirror {
  struct Row: Equatable {
    /// A map's key; empty for rows of anything else.
    var key = ""
    var value: Value
    var contents: [Value]
  }

  let name: String
  /// What is there now.
  let read: () throws -> [Row]
  var token: ObservationToken?
  var isStopped = false
  private(set) var calls = 0
  private(set) var faults: [String] = []
  /// Nil before the first call.
  private var rows: [Row]?

  init(_ name: String, _ read: @escaping () throws -> [Row]) {
    self.name = name
    self.read = read
  }

  var isLive: Bool { token?.isLive ?? false }

  /// Rules 1.7, 1.10, 2.2, 4.2.
  func receive(_ change: DynamicCollectionChange) throws {
    calls += 1
    if isStopped { faults.append("\(name) was notified after its end") }
    let now = try read()
    defer { rows = now }
    switch change {
    case .initial(let count):
      if rows != nil { faults.append("\(name): a second initial") }
      if count != now.count { faults.append("\(name): initial \(count) of \(now.count)") }
    case .update(let changes, let isOwnerDeleted):
      guard let old = rows else { return faults.append("\(name): an update before initial") }
      if changes.isEmpty && !isOwnerDeleted { faults.append("\(name): an empty change") }
      compare(changes, old, now)
    case .mapUpdate(let changes, let isOwnerDeleted):
      guard let old = rows else { return faults.append("\(name): an update before initial") }
      if changes.isEmpty && !isOwnerDeleted { faults.append("\(name): an empty change") }
      compare(changes, old, now)
    case .error(let error): faults.append("\(name): \(error)")
    }
  }

  /// A silenced commit is known without having been delivered.
  func skip() throws { if rows != nil { rows = try read() } }

  /// What differs from the store, when everything was delivered.
  func compareAtEnd() throws {
    guard isLive else { return }
    let now = try read()
    if let rows, rows != now { faults.append("\(name) ends with \(rows), not \(now)") }
    if rows == nil { faults.append("\(name) was never told") }
  }

  private func compare(_ changes: ChangeSet, _ old: [Row], _ now: [Row]) {
    if let fault = replayFault(changes, old: old.map(\.value), new: now.map(\.value)) {
      return faults.append("\(name): \(fault)")
    }
    let (deleted, inserted) = (Set(changes.deletions), Set(changes.insertions))
    let modified = Set(changes.modifications)
    let stay = old.indices.filter { !deleted.contains($0) }
    let places = now.indices.filter { !inserted.contains($0) }
    for (oldRow, newRow) in zip(stay, places) where old[oldRow] != now[newRow] {
      if !modified.contains(oldRow) {
        faults.append("\(name): row \(oldRow) changed untold: \(changes.text)")
      }
    }
  }

  private func compare(_ changes: MapChangeSet, _ old: [Row], _ now: [Row]) {
    let (before, after) = (Set(old.map(\.key)), Set(now.map(\.key)))
    if changes.deletions != before.subtracting(after).sorted()
      || changes.insertions != after.subtracting(before).sorted()
      || !Set(changes.modifications).isSubset(of: before.intersection(after))
    {
      faults.append("\(name): keys \(changes) from \(before.sorted()) to \(after.sorted())")
    }
    for row in now where !changes.modifications.contains(row.key) && before.contains(row.key) {
      if !old.contains(row) { faults.append("\(name): key \(row.key) changed untold") }
    }
  }
}
