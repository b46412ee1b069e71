import Herald

/// A table of rows that somebody looks at a part of: kept by applying change sets, and knowing no
/// rows but those that can be seen.
///
///     states of a line   live (at a position) → gone (a red line, until its mark fades) → nothing
///     states of a view   follows the start | stays with its first row | follows the end
///
/// A plain value without a clock: who calls says what time it is, from any beginning.
struct WatchTable {
  /// What a row shows.
  struct Content: Equatable {
    /// The object's name or the map's key; nil for a plain value.
    var label: String?
    var cells: [Table.Cell]
  }

  enum Mark: Equatable {
    case new, gone, modified
    /// It was at another place: below the present one, or above it.
    case moved(isUp: Bool)
  }

  struct Line: Equatable {
    var content: Content
    var mark: Mark?
    /// What the changed cells showed before.
    var former: [Int: String] = [:]
    /// When mark and former cells go.
    var fades = Duration.zero

    var isGone: Bool { mark == .gone }
  }

  enum Anchor: Equatable {
    case start, row, end
  }

  /// Reads rows: as many as were asked for.
  typealias Reader = (Range<Int>) throws -> [Content]

  /// How long a change stays marked.
  static let fading = Duration.milliseconds(1500)

  /// All the rows there are.
  private(set) var count = 0
  /// The position of the first live line.
  private(set) var top = 0
  /// How many lines can be seen.
  private(set) var height: Int
  private(set) var anchor = Anchor.start
  /// The live lines stand for the rows from `top` on, as many as there are and can be seen; lines that
  /// are gone stand between them.
  private(set) var lines: [Line] = []

  init(height: Int) { self.height = max(1, height) }

  var lastTop: Int { max(0, count - height) }

  /// The rows that can be seen.
  var visible: Range<Int> { top..<min(count, top + height) }

  /// What is on the screen, from the top: lines that are gone take the room of others.
  var shown: ArraySlice<Line> { anchor == .end ? lines.suffix(height) : lines.prefix(height) }

  /// The position of the first line that is shown.
  var firstShown: Int { top + lines[..<shown.startIndex].count { !$0.isGone } }
}

// MARK: What is seen

extension WatchTable {
  /// The first rows.
  mutating func begin(count: Int, _ read: Reader) throws {
    self.count = count
    try show(from: 0, .start, read)
  }

  mutating func resize(height: Int, _ read: Reader) throws {
    self.height = max(1, height)
    try show(from: anchor == .end ? lastTop : top, anchor, read)
  }

  /// Reads what can be seen anew: rows are shown in another way now.
  mutating func reload(_ read: Reader) throws {
    lines = []
    try show(from: top, anchor, read)
  }

  mutating func scroll(by rows: Int, _ read: Reader) throws {
    let goal = min(max(0, top + rows), lastTop)
    try show(from: goal, goal == 0 ? .start : .row, read)
  }

  mutating func scrollToStart(_ read: Reader) throws { try show(from: 0, .start, read) }

  /// From then on rows that come at the end are shown.
  mutating func scrollToEnd(_ read: Reader) throws { try show(from: lastTop, .end, read) }

  private mutating func show(from position: Int, _ anchor: Anchor, _ read: Reader) throws {
    var known: [Int: Line] = [:]
    for (row, line) in zip(top..., lines.filter({ !$0.isGone })) { known[row] = line }
    self.anchor = anchor
    top = min(position, lastTop)
    try fill(known, ghosts: [], read)
  }

  /// Makes the lines of the visible rows: those that are known, and the others as they are read, a
  /// call for each gap.
  fileprivate mutating func fill(
    _ known: [Int: Line], ghosts: [(gap: Int, line: Line)], _ read: Reader
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
    var rest = ghosts[...]
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
  /// Brings the table to the version that a change set leads to. Reads the rows that came or changed
  /// among the visible ones, and none else: O(height · log changes + moves).
  mutating func apply(_ changes: ChangeSet, at now: Duration, _ read: Reader) throws {
    let mapping = RowMapping(changes)
    let fades = now + Self.fading
    var known: [Int: Line] = [:]
    var moved: [Int: Line] = [:]
    var ghosts: [(gap: Int, line: Line)] = []
    let moves = newPositions(of: changes.moves)
    var row = top
    for line in lines {
      if line.isGone {
        ghosts.append((mapping.gap(atOld: row), line))
        continue
      }
      if let position = mapping.newPosition(ofOld: row) {
        known[position] = line
      } else if let position = moves[row] {
        moved[position] = line
      } else {
        ghosts.append((mapping.gap(atOld: row), line.gone(until: fades)))
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
    try fill(known, ghosts: latest(ghosts), read)
  }

  /// Lines that are gone take a quarter of the screen at most: those that went last.
  private func latest(_ ghosts: [(gap: Int, line: Line)]) -> [(gap: Int, line: Line)] {
    let limit = max(1, height / 4)
    let oldest = ghosts.map(\.line.fades).sorted().suffix(limit).first ?? .zero
    return ghosts.filter { $0.line.fades >= oldest }.suffix(limit)
  }

  /// The new positions of visible rows that moved, by the old ones.
  private func newPositions(of moves: [ChangeSet.Move]) -> [Int: Int] {
    let visible = self.visible
    var positions: [Int: Int] = [:]
    for move in moves where visible.contains(move.old) { positions[move.old] = move.new }
    return positions
  }

  /// Reads and marks what came, moved or changed among the rows that are visible now.
  private mutating func mark(
    _ known: inout [Int: Line], _ moved: [Int: Line], _ changes: ChangeSet,
    until fades: Duration, _ read: Reader
  ) throws {
    let visible = self.visible
    let touched = visible.filter {
      changes.insertions.hasSorted($0) || changes.modificationsNew.hasSorted($0)
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
          let isNew = changes.insertions.hasSorted(row)
          known[row] = Line(content: content, mark: isNew ? .new : .modified, fades: fades)
        }
      }
    }
  }

  /// The old positions of rows that moved to where they can be seen, by the new ones.
  private func origins(of moves: [ChangeSet.Move]) -> [Int: Int] {
    let visible = self.visible
    var positions: [Int: Int] = [:]
    for move in moves where visible.contains(move.new) { positions[move.new] = move.old }
    return positions
  }

  /// Takes away the marks whose time is over. Whether there were any.
  @discardableResult
  mutating func fade(at now: Duration) -> Bool {
    let old = lines
    lines.removeAll { $0.isGone && $0.fades <= now }
    for index in lines.indices where lines[index].mark != nil && lines[index].fades <= now {
      lines[index] = Line(content: lines[index].content)
    }
    return lines != old
  }

  /// When the next mark fades; nil while there is none.
  var nextFading: Duration? { lines.filter { $0.mark != nil }.map(\.fades).min() }
}

extension WatchTable.Line {
  fileprivate func gone(until fades: Duration) -> Self {
    WatchTable.Line(content: content, mark: .gone, fades: fades)
  }

  /// What is new stays marked as new while it changes further.
  fileprivate func changed(
    to content: WatchTable.Content, _ mark: WatchTable.Mark, until fades: Duration
  ) -> Self {
    var line = self
    for (column, (old, new)) in zip(self.content.cells, content.cells).enumerated()
    where old != new {
      line.former[column] = old.text
    }
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
