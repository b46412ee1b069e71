import HeraldModel
import HeraldQuery

/// The rows removed from a stage and those added to it; a row whose position may have changed is in both.
struct RowDelta {
  var removed: [ObjectNumber] = []
  var added: [ObjectNumber] = []

  var isEmpty: Bool { removed.isEmpty && added.isEmpty }
}

/// A row delta with positions, ascending.
struct PositionedDelta {
  struct Row {
    var number: ObjectNumber
    var position: Int
  }
  /// Positions in the old rows.
  var removed: [Row] = []
  /// Positions in the new rows.
  var added: [Row] = []

  var rows: RowDelta {
    RowDelta(removed: removed.map(\.number), added: added.map(\.number))
  }
}

/// A stage that orders its rows and passes the first `limit`: a window over the whole sequence, so that
/// rows that cross its edge are found there.
final class OrderedStage {
  let rows: any RowSequence
  let limit: Int

  init(_ rows: any RowSequence, limit: Int = .max) {
    self.rows = rows
    self.limit = limit
  }

  /// The number of rows in the window.
  var count: Int { min(limit, rows.count) }

  /// Returns the position of a row in the window; nil where it is outside.
  func position(of number: ObjectNumber) -> Int? {
    guard let position = rows.position(of: number), position < limit else { return nil }
    return position
  }

  /// Applies a change of the incoming rows and returns that of the window. O(changes · log rows).
  func apply(_ delta: RowDelta, _ reader: any ObjectReader) -> PositionedDelta {
    let oldCount = count
    var placed = PositionedDelta()
    for number in delta.removed {
      guard let position = rows.position(of: number) else { continue }
      placed.removed.append(PositionedDelta.Row(number: number, position: position))
    }
    for row in placed.removed { rows.remove(row.number) }
    rows.insert(contentsOf: delta.added, reader)
    for number in delta.added {
      guard let position = rows.position(of: number) else { continue }
      placed.added.append(PositionedDelta.Row(number: number, position: position))
    }
    placed.removed.sort { $0.position < $1.position }
    placed.added.sort { $0.position < $1.position }
    if limit != .max { window(&placed, oldCount) }
    return placed
  }

  /// Restricts a delta to the window, and adds the untouched rows that crossed its edge.
  private func window(_ placed: inout PositionedDelta, _ oldCount: Int) {
    let newCount = count
    let removed = Set(placed.removed.map(\.position))
    let added = Set(placed.added.map(\.position))
    placed.removed.removeAll { $0.position >= oldCount }
    placed.added.removeAll { $0.position >= newCount }
    // The untouched rows keep their order, so those in the window, before and after, are prefixes of one
    // sequence.
    let oldUntouched = oldCount - placed.removed.count
    let newUntouched = newCount - placed.added.count
    if newUntouched < oldUntouched {
      let crossing = oldUntouched - newUntouched
      var numbers: [ObjectNumber] = []
      var newPosition = newCount
      while numbers.count < crossing {
        if !added.contains(newPosition) { numbers.append(rows.number(at: newPosition)) }
        newPosition += 1
      }
      var oldPosition = oldCount - 1
      while let number = numbers.last {
        if !removed.contains(oldPosition) {
          placed.removed.append(PositionedDelta.Row(number: number, position: oldPosition))
          numbers.removeLast()
        }
        oldPosition -= 1
      }
      placed.removed.sort { $0.position < $1.position }
    } else {
      var crossing = newUntouched - oldUntouched
      var newPosition = newCount - 1
      while crossing > 0 {
        if !added.contains(newPosition) {
          let number = rows.number(at: newPosition)
          placed.added.append(PositionedDelta.Row(number: number, position: newPosition))
          crossing -= 1
        }
        newPosition -= 1
      }
      placed.added.sort { $0.position < $1.position }
    }
  }
}
