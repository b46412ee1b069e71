import Herald
import TestSupport
import Testing

@testable import HeraldShell

/// A table and a plain array of rows, which go through the same changes.
private struct WatchTableTwin {
  struct Row: Equatable {
    var id: Int
    var value: Int
  }

  var generator: SplitMix64
  var rows: [Row] = []
  var table: WatchTable
  var now = Duration.zero
  var nextID = 0

  init(seed: UInt64) throws {
    generator = SplitMix64(seed: seed)
    table = WatchTable(height: Int.random(in: 1...9, using: &generator))
    for _ in 0..<Int.random(in: 0...40, using: &generator) { rows.append(newRow()) }
    let rows = rows
    try table.begin(count: rows.count) { range in rows[range].map(WatchTableTwin.content) }
  }

  static func content(_ row: Row) -> WatchTable.Content {
    WatchTable.Content(label: "#\(row.id)", cells: [Table.Cell(text: String(row.value))])
  }

  private mutating func newRow() -> Row {
    nextID += 1
    return Row(id: nextID, value: Int.random(in: 0...99, using: &generator))
  }

  private mutating func isOneIn(_ count: Int) -> Bool {
    Int.random(in: 0..<count, using: &generator) == 0
  }

  /// Changes the rows at random; what a change set says of it.
  private mutating func change() -> ChangeSet {
    let old = rows
    let rarity = [2, 5, 20, 1000].randomElement(using: &generator) ?? 5
    var changes = ChangeSet()
    var kept: [Row] = []
    var others: [Row] = []
    for (position, row) in old.enumerated() {
      guard isOneIn(rarity) else {
        kept.append(row)
        continue
      }
      changes.deletions.append(position)
      if isOneIn(3) { others.append(row) }
    }
    for _ in 0..<Int.random(in: 0...6, using: &generator) { others.append(newRow()) }
    var new = kept
    for row in others.shuffled(using: &generator) {
      new.insert(row, at: Int.random(in: 0...new.count, using: &generator))
    }
    let oldPositions = Dictionary(
      uniqueKeysWithValues: old.enumerated().map { ($1.id, $0) })
    let placed = Set(others.map(\.id))
    for position in new.indices {
      let id = new[position].id
      let isChanged = isOneIn(4)
      if isChanged { new[position].value += 1 }
      if placed.contains(id) {
        changes.insertions.append(position)
        if let from = oldPositions[id] {
          changes.moves.append(ChangeSet.Move(old: from, new: position))
        }
      } else if isChanged, let from = oldPositions[id] {
        changes.modifications.append(from)
        changes.modificationsNew.append(position)
      }
    }
    changes.moves.sort { $0.old < $1.old }
    rows = new
    return changes
  }

  /// A reader that reads what can be seen, and no row twice.
  private mutating func reading(
    _ body: (inout WatchTable, WatchTable.Reader) throws -> Void
  ) throws {
    var read: Set<Int> = []
    let rows = rows
    try body(&table) { range in
      for row in range { #expect(read.insert(row).inserted, "row \(row) was read twice") }
      return rows[range].map(WatchTableTwin.content)
    }
    #expect(read.allSatisfy(table.visible.contains), "read \(read), visible \(table.visible)")
  }

  mutating func step() throws {
    now += .milliseconds(Int.random(in: 0...900, using: &generator))
    table.fade(at: now)
    switch Int.random(in: 0..<10, using: &generator) {
    case 0:
      let by = Int.random(in: -12...12, using: &generator)
      try reading { try $0.scroll(by: by, $1) }
    case 1: try reading { try $0.scrollToEnd($1) }
    case 2: try reading { try $0.scrollToStart($1) }
    case 3:
      let height = Int.random(in: 1...12, using: &generator)
      try reading { try $0.resize(height: height, $1) }
    default:
      let (changes, now) = (change(), now)
      try reading { try $0.apply(changes, at: now, $1) }
    }
    #expect(table.violations == [])
    let seen = rows[table.visible].map(WatchTableTwin.content)
    #expect(table.difference(fromCount: rows.count, Array(seen)) == nil)
  }
}

@Suite struct WatchTableTwinTests {
  @Test(arguments: 0..<200 as Range<UInt64>)
  func `4.2: a table that applies change sets shows the current rows`(seed: UInt64) throws {
    var twin = try WatchTableTwin(seed: seed)
    for _ in 0..<60 { try twin.step() }
  }
}
