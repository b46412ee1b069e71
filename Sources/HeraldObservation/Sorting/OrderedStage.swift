import HeraldModel
import HeraldQuery

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
    if limit != .max { window(&placed, oldCount) }
    return placed
  }

  /// Restricts a delta to the window, and adds the untouched rows that crossed its edge.
  private func window(_ placed: inout Placed, _ oldCount: Int) {
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
          placed.removed.append(RowChanges.Row(number: number, position: oldPosition))
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
          placed.added.append(RowChanges.Row(number: number, position: newPosition))
          crossing -= 1
        }
        newPosition -= 1
      }
      placed.added.sort { $0.position < $1.position }
    }
  }
}
