import HeraldModel
import HeraldObservation

/// What a set or backlinks must report: rows are compared by value, equal ones the first so many
/// times (4.3, 4.4).
struct ModelSetCheck {
  let owner: ObjectID
  let property: Int
  let filter: ModelFilter
  let span: ModelSpan

  var expectation: ModelExpectation? {
    let (old, new) = (span.old.rows(property, of: owner), span.new.rows(property, of: owner))
    let newPlaces = Dictionary(uniqueKeysWithValues: new.enumerated().map { ($1, $0) })
    let before = Set(old)
    var expected = ChangeSet()
    for (place, row) in old.enumerated() {
      guard let newPlace = newPlaces[row] else {
        expected.deletions.append(place)
        continue
      }
      guard span.leadsToModified(row.value, filter) else { continue }
      expected.modifications.append(place)
      expected.modificationsNew.append(newPlace)
    }
    expected.insertions = new.indices.filter { !before.contains(new[$0]) }
    if expected.isEmpty { return nil }
    let (oldRows, newRows) = (old.map(\.value), new.map(\.value))
    return .notified("\(expected.text), rows \(newRows.text), before \(oldRows.text)") { event in
      guard case .update(let changes, ownerDeleted: false, let rows) = event else { return "kind" }
      let seen = changes.changeSet
      if rows.values != newRows { return "rows" }
      return replayFault(seen, old: oldRows, new: newRows)
        ?? (seen == expected ? nil : "change set")
    }
  }
}
