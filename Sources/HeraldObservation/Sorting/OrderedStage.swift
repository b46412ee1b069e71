import HeraldModel
import HeraldQuery

/// A stage that orders its rows and passes those from `offset` on, at most `limit`: a window over the whole
/// sequence, so that rows that cross its edges are found there.
final class OrderedStage {
  let rows: any RowSequence
  let limit: Int
  let offset: Int

  init(_ rows: any RowSequence, limit: Int = .max, offset: Int = 0) {
    self.rows = rows
    self.limit = limit
    self.offset = offset
  }

  /// - Parameter window: the positions that are passed on.
  convenience init(_ rows: any RowSequence, _ window: Range<Int>) {
    let limit = window.upperBound == .max ? .max : window.count
    self.init(rows, limit: limit, offset: window.lowerBound)
  }

  /// Whether the window has every row.
  var isWhole: Bool { limit == .max && offset == 0 }

  /// The number of rows in the window.
  var count: Int { min(limit, max(0, rows.count - offset)) }

  /// Returns the row at a position in the window.
  func number(at position: Int) -> ObjectNumber { rows.number(at: offset + position) }

  /// Returns the position of a row in the window; nil where it is outside.
  func position(of number: ObjectNumber) -> Int? {
    guard let position = rows.position(of: number), position >= offset, position - offset < limit
    else { return nil }
    return position - offset
  }

  /// Rows that left the window, by their old positions, and rows that entered it, by their new ones.
  private typealias Placed = (removed: [RowChanges.Row], added: [RowChanges.Row])

  /// Applies a change of the incoming rows and returns that of the window. O(changes · log rows).
  func apply(_ delta: RowDelta, _ reader: any ObjectReader) -> RowDelta {
    let placed = place(delta, reader)
    return RowDelta(removed: placed.removed.map(\.number), added: placed.added.map(\.number))
  }

  /// The same for the last stage, with positions.
  func changes(_ delta: RowDelta, _ reader: any ObjectReader) -> RowChanges {
    let placed = place(delta, reader)
    return RowChanges(removed: placed.removed, added: placed.added)
  }

  private func place(_ delta: RowDelta, _ reader: any ObjectReader) -> Placed {
    let oldCount = count
    var placed: Placed = ([], [])
    for number in delta.removed {
      guard let position = rows.position(of: number) else { continue }
      placed.removed.append(RowChanges.Row(number: number, position: position))
    }
    for row in placed.removed { rows.remove(row.number) }
    rows.insert(contentsOf: delta.added, reader)
    for number in delta.added {
      guard let position = rows.position(of: number) else { continue }
      placed.added.append(RowChanges.Row(number: number, position: position))
    }
    placed.removed.sort { $0.position < $1.position }
    placed.added.sort { $0.position < $1.position }
    if !isWhole { window(&placed, oldCount) }
    return placed
  }

  /// Restricts a delta to the window, and adds the untouched rows that crossed its edges.
  ///
  /// The untouched rows keep their order, so those in the window, before and after, are two ranges of one
  /// sequence: a row in only one of them has crossed.
  private func window(_ placed: inout Placed, _ oldCount: Int) {
    let removed = placed.removed.map(\.position)
    let added = placed.added.map(\.position)
    let (oldWindow, newWindow) = (offset..<(offset + oldCount), offset..<(offset + count))
    let old = untouched(in: oldWindow, besides: removed)
    let new = untouched(in: newWindow, besides: added)
    placed.removed.removeAll { !oldWindow.contains($0.position) }
    placed.added.removeAll { !newWindow.contains($0.position) }
    for range in old.subtracting(new) {
      let oldPositions = positions(ofUntouched: range, besides: removed)
      let newPositions = positions(ofUntouched: range, besides: added)
      for (old, new) in zip(oldPositions, newPositions) {
        placed.removed.append(RowChanges.Row(number: rows.number(at: new), position: old))
      }
    }
    for range in new.subtracting(old) {
      for position in positions(ofUntouched: range, besides: added) {
        placed.added.append(RowChanges.Row(number: rows.number(at: position), position: position))
      }
    }
    for index in placed.removed.indices { placed.removed[index].position -= offset }
    for index in placed.added.indices { placed.added[index].position -= offset }
    placed.removed.sort { $0.position < $1.position }
    placed.added.sort { $0.position < $1.position }
  }

  /// Returns the untouched rows in a window, by their positions among all untouched rows.
  ///
  /// - Parameter touched: the positions of the other rows, ascending.
  private func untouched(in window: Range<Int>, besides touched: [Int]) -> Range<Int> {
    let before = touched.prefix { $0 < window.lowerBound }.count
    let within = touched.dropFirst(before).prefix { $0 < window.upperBound }.count
    return (window.lowerBound - before)..<(window.upperBound - before - within)
  }

  /// Returns the positions of untouched rows among all rows. O(rows + touched).
  private func positions(ofUntouched range: Range<Int>, besides touched: [Int]) -> [Int] {
    var before = 0
    return range.map { row in
      while before < touched.count, touched[before] <= row + before { before += 1 }
      return row + before
    }
  }
}

extension Range<Int> {
  /// Returns the parts of the range that are not in `other`.
  fileprivate func subtracting(_ other: Range<Int>) -> [Range<Int>] {
    let parts = [
      lowerBound..<Swift.max(lowerBound, Swift.min(upperBound, other.lowerBound)),
      Swift.min(upperBound, Swift.max(lowerBound, other.upperBound))..<upperBound,
    ]
    return other.isEmpty ? [self] : parts.filter { !$0.isEmpty }
  }
}
