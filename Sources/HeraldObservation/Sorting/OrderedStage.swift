import HeraldModel
import HeraldQuery

/// Rows that left a stage and rows that came, as a set: a row whose place may be another is in both.
struct RowDelta {
  var removed: [ObjectNumber] = []
  var added: [ObjectNumber] = []

  var isEmpty: Bool { removed.isEmpty && added.isEmpty }
}

/// The same with positions: those of the old rows and of the new ones, ascending.
struct PlacedDelta {
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

/// Rows in an order, and of these the first `limit`: a window on the whole sequence, so that rows
/// crossing its edge are found from the edge.
final class OrderedStage {
  let rows: any RowSequence
  let limit: Int

  init(_ rows: any RowSequence, limit: Int = .max) {
    self.rows = rows
    self.limit = limit
  }

  /// The rows in the window.
  var count: Int { min(limit, rows.count) }

  /// The position in the window; nil outside.
  func position(of number: ObjectNumber) -> Int? {
    guard let position = rows.position(of: number), position < limit else { return nil }
    return position
  }

  /// O(changes · log rows).
  func apply(_ delta: RowDelta, _ reader: any ObjectReader) -> PlacedDelta {
    let oldCount = count
    var placed = PlacedDelta()
    for number in delta.removed {
      guard let position = rows.position(of: number) else { continue }
      placed.removed.append(PlacedDelta.Row(number: number, position: position))
    }
    for row in placed.removed { rows.remove(row.number) }
    rows.insert(contentsOf: delta.added, reader)
    for number in delta.added {
      guard let position = rows.position(of: number) else { continue }
      placed.added.append(PlacedDelta.Row(number: number, position: position))
    }
    placed.removed.sort { $0.position < $1.position }
    placed.added.sort { $0.position < $1.position }
    if limit != .max { window(&placed, oldCount) }
    return placed
  }

  /// Keeps what happened inside the window, and adds the rows that crossed its edge untouched.
  private func window(_ placed: inout PlacedDelta, _ oldCount: Int) {
    let newCount = count
    let removed = Set(placed.removed.map(\.position))
    let added = Set(placed.added.map(\.position))
    placed.removed.removeAll { $0.position >= oldCount }
    placed.added.removeAll { $0.position >= newCount }
    // Untouched rows in the window, before and after: the first so many of the same sequence.
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
          placed.removed.append(PlacedDelta.Row(number: number, position: oldPosition))
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
          placed.added.append(PlacedDelta.Row(number: number, position: newPosition))
          crossing -= 1
        }
        newPosition -= 1
      }
      placed.added.sort { $0.position < $1.position }
    }
  }
}
