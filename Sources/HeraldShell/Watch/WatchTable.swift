import Herald

/// A table that shows a part of its rows: it is updated by change sets, and stores only the visible
/// rows.
///
///     states of a line   live (at a position) → deleted (a red line, until its mark fades) → removed
///     states of a view   follows the start | stays with its first row | follows the end
///
/// A plain value without a clock: the caller passes the time since an arbitrary moment.
struct WatchTable {
  /// The content of a row.
  struct Content: Equatable {
    /// The object's name or the map's key; nil for a plain value.
    var label: String?
    var cells: [Table.Cell]
  }

  enum Mark: Equatable {
    case new, deleted, modified
    /// The row moved: up from below its present position, or down from above it.
    case moved(isUp: Bool)
  }

  struct Line: Equatable {
    var content: Content
    var mark: Mark?
    /// The previous texts of the changed cells.
    var previous: [Int: String] = [:]
    /// The time when the mark and the previous cells are removed.
    var fades = Duration.zero

    var isDeleted: Bool { mark == .deleted }
  }

  enum Anchor: Equatable {
    case start, row, end
  }

  /// Reads exactly the requested rows.
  typealias Reader = (Range<Int>) throws -> [Content]

  /// How long a change stays marked.
  static let fading = Duration.milliseconds(1500)

  /// The number of all rows.
  private(set) var count = 0
  /// The position of the first live line.
  private(set) var top = 0
  /// The number of visible lines.
  private(set) var height: Int
  private(set) var anchor = Anchor.start
  /// The live lines show the rows from `top` on, as many as exist and are visible; lines of deleted rows
  /// are between them.
  private(set) var lines: [Line] = []

  init(height: Int) { self.height = max(1, height) }

  var lastTop: Int { max(0, count - height) }

  /// The visible rows.
  var visible: Range<Int> { top..<min(count, top + height) }

  /// The lines on the screen, from the top: lines of deleted rows take the space of others.
  var shown: ArraySlice<Line> { anchor == .end ? lines.suffix(height) : lines.prefix(height) }

  /// The position of the first line that is shown.
  var firstShown: Int { top + lines[..<shown.startIndex].count { !$0.isDeleted } }
}

// MARK: The visible rows

extension WatchTable {
  /// Shows the first rows.
  mutating func begin(count: Int, _ read: Reader) throws {
    self.count = count
    try show(from: 0, .start, read)
  }

  mutating func resize(height: Int, _ read: Reader) throws {
    self.height = max(1, height)
    try show(from: anchor == .end ? lastTop : top, anchor, read)
  }

  /// Reads the visible rows again, after a change of how rows are shown.
  mutating func reload(_ read: Reader) throws {
    lines = []
    try show(from: top, anchor, read)
  }

  /// Reads the visible rows again, and marks those that differ.
  mutating func refresh(at now: Duration, _ read: Reader) throws {
    let live = lines.indices.filter { !lines[$0].isDeleted }
    for (index, content) in zip(live, try read(visible)) where lines[index].content != content {
      lines[index] = lines[index].changed(to: content, .modified, until: now + Self.fading)
    }
  }

  mutating func scroll(by rows: Int, _ read: Reader) throws {
    let goal = min(max(0, top + rows), lastTop)
    try show(from: goal, goal == 0 ? .start : .row, read)
  }

  mutating func scrollToStart(_ read: Reader) throws { try show(from: 0, .start, read) }

  /// Follows the end: rows appended later are shown.
  mutating func scrollToEnd(_ read: Reader) throws { try show(from: lastTop, .end, read) }

  private mutating func show(from position: Int, _ anchor: Anchor, _ read: Reader) throws {
    var known: [Int: Line] = [:]
    for (row, line) in zip(top..., lines.filter({ !$0.isDeleted })) { known[row] = line }
    self.anchor = anchor
    top = min(position, lastTop)
    try fill(known, deletedLines: [], read)
  }

  /// Makes the lines of the visible rows: reuses the known ones, and reads the others with one call for each
  /// gap.
  fileprivate mutating func fill(
    _ known: [Int: Line], deletedLines: [(gap: Int, line: Line)], _ read: Reader
  ) throws {
    var known = known
    var next = visible.lowerBound
    while next < visible.upperBound {
      var end = next
      while end < visible.upperBound, known[end] == nil { end += 1 }
      if end > next {
        for (row, content) in zip(next..<end, try read(next..<end)) {
          known[row] = Line(content: content)
        }
      }
      next = end + 1
    }
    lines = []
    var rest = deletedLines[...]
    for row in visible {
      while let ghost = rest.first, ghost.gap <= row {
        rest.removeFirst()
        if ghost.gap >= top { lines.append(ghost.line) }
      }
      if let line = known[row] { lines.append(line) }
    }
    lines += rest.prefix { $0.gap == visible.upperBound }.map(\.line)
  }
}

// MARK: Changes

extension WatchTable {
  /// Applies a change set to the table. Reads only the visible rows that were inserted or changed:
  /// O(height · log changes + moves).
  mutating func apply(_ changes: ChangeSet, at now: Duration, _ read: Reader) throws {
    let mapping = RowMapping(changes)
    let fades = now + Self.fading
    var known: [Int: Line] = [:]
    var moved: [Int: Line] = [:]
    var deletedLines: [(gap: Int, line: Line)] = []
    let moves = newPositions(of: changes.moves)
    var row = top
    for line in lines {
      if line.isDeleted {
        deletedLines.append((mapping.gap(atOld: row), line))
        continue
      }
      if let position = mapping.newPosition(ofOld: row) {
        known[position] = line
      } else if let position = moves[row] {
        moved[position] = line
      } else {
        deletedLines.append((mapping.gap(atOld: row), line.deleted(until: fades)))
      }
      row += 1
    }
    let newTop = mapping.newPosition(ofOld: top) ?? mapping.gap(atOld: top)
    count += changes.insertions.count - changes.deletions.count
    switch anchor {
    case .start: top = 0
    case .row: top = min(newTop, lastTop)
    case .end: top = lastTop
    }
    try mark(&known, moved, changes, until: fades, read)
    try fill(known, deletedLines: latest(deletedLines), read)
  }

  /// Limits the lines of deleted rows to a quarter of the screen: the latest deletions.
  private func latest(_ deletedLines: [(gap: Int, line: Line)]) -> [(gap: Int, line: Line)] {
    let limit = max(1, height / 4)
    let oldest = deletedLines.map(\.line.fades).sorted().suffix(limit).first ?? .zero
    return deletedLines.filter { $0.line.fades >= oldest }.suffix(limit)
  }

  /// The new positions of visible rows that moved, by the old ones.
  private func newPositions(of moves: [ChangeSet.Move]) -> [Int: Int] {
    let visible = self.visible
    var positions: [Int: Int] = [:]
    for move in moves where visible.contains(move.old) { positions[move.old] = move.new }
    return positions
  }

  /// Reads and marks the inserted, moved and changed rows among the visible ones.
  private mutating func mark(
    _ known: inout [Int: Line], _ moved: [Int: Line], _ changes: ChangeSet,
    until fades: Duration, _ read: Reader
  ) throws {
    let visible = self.visible
    let touched = visible.filter {
      changes.insertions.containsSorted($0) || changes.modificationsNew.containsSorted($0)
    }
    let origins = origins(of: changes.moves)
    for range in touched.ranges {
      for (row, content) in zip(range, try read(range)) {
        if let line = known[row] {
          known[row] = line.changed(to: content, .modified, until: fades)
        } else if let origin = origins[row] {
          let line = moved[row] ?? Line(content: content)
          known[row] = line.changed(to: content, .moved(isUp: row < origin), until: fades)
        } else {
          let isNew = changes.insertions.containsSorted(row)
          known[row] = Line(content: content, mark: isNew ? .new : .modified, fades: fades)
        }
      }
    }
  }

  /// The old positions of rows that moved into view, by the new ones.
  private func origins(of moves: [ChangeSet.Move]) -> [Int: Int] {
    let visible = self.visible
    var positions: [Int: Int] = [:]
    for move in moves where visible.contains(move.new) { positions[move.new] = move.old }
    return positions
  }

  /// Removes the marks whose time is over; returns whether there were any.
  @discardableResult
  mutating func fade(at now: Duration) -> Bool {
    let old = lines
    lines.removeAll { $0.isDeleted && $0.fades <= now }
    for index in lines.indices where lines[index].mark != nil && lines[index].fades <= now {
      lines[index] = Line(content: lines[index].content)
    }
    return lines != old
  }

  /// When the next mark fades; nil while there is none.
  var nextFading: Duration? { lines.filter { $0.mark != nil }.map(\.fades).min() }
}

extension WatchTable.Line {
  fileprivate func deleted(until fades: Duration) -> Self {
    WatchTable.Line(content: content, mark: .deleted, fades: fades)
  }

  /// An inserted row stays marked as inserted while it changes further.
  fileprivate func changed(
    to content: WatchTable.Content, _ mark: WatchTable.Mark, until fades: Duration
  ) -> Self {
    var line = self
    for (column, (old, new)) in zip(self.content.cells, content.cells).enumerated()
    where old != new { line.previous[column] = old.text }
    line.content = content
    line.mark = self.mark == .new && mark == .modified ? .new : mark
    line.fades = fades
    return line
  }
}

extension [Int] {
  /// An ascending array as ranges.
  fileprivate var ranges: [Range<Int>] {
    var ranges: [Range<Int>] = []
    for number in self {
      if let last = ranges.last, last.upperBound == number {
        ranges[ranges.count - 1] = last.lowerBound..<number + 1
      } else {
        ranges.append(number..<number + 1)
      }
    }
    return ranges
  }
}

/// Maps row positions of an old collection to those of the new one, by a change set.
struct RowMapping {
  private let deletions: [Int]
  private let insertions: [Int]

  init(_ changes: ChangeSet) {
    deletions = changes.deletions
    insertions = changes.insertions
  }

  /// The new position of an old row; nil if it was deleted. O(log changes).
  func newPosition(ofOld position: Int) -> Int? {
    let gone = deletions.partitionPoint { $0 < position }
    if gone < deletions.count, deletions[gone] == position { return nil }
    let kept = position - gone
    return kept + insertions.indices.partitionPoint { insertions[$0] - $0 <= kept }
  }

  /// The new position before which an old row was: ahead of rows inserted at that position.
  /// O(log changes).
  func gap(atOld position: Int) -> Int {
    let kept = position - deletions.partitionPoint { $0 < position }
    return kept + insertions.indices.partitionPoint { insertions[$0] - $0 < kept }
  }
}
