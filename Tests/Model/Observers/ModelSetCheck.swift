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

/// What a map must report, by keys (4.4, 4.7).
struct ModelMapCheck {
  let owner: ObjectID
  let property: Int
  let filter: ModelFilter
  let span: ModelSpan

  var expectation: ModelExpectation? {
    let old = span.old.content(property, of: owner).entries
    let new = span.new.content(property, of: owner).entries
    let modified = new.filter { key, value in
      guard let previous = old[key] else { return false }
      return previous != value || isReplaced(key) || span.leadsToModified(value, filter)
    }
    let expected = ModelKeyChanges(
      deletions: old.keys.filter { new[$0] == nil }.sorted(),
      insertions: new.keys.filter { old[$0] == nil }.sorted(),
      modifications: modified.keys.sorted())
    if expected.isEmpty { return nil }
    let keys = new.keys.sorted()
    return .notified("\(expected), keys \(keys)") { event in
      guard case .mapUpdate(let seen, ownerDeleted: false, let rows) = event else { return "kind" }
      guard rows.keys == keys, rows.values == keys.map({ new[$0] ?? .null }) else { return "rows" }
      return seen == expected ? nil : "keys"
    }
  }

  /// Whether a commit changed the value of a key that was there all the time.
  private func isReplaced(_ key: String) -> Bool {
    let entry = ModelCommit.Entry(
      place: ModelCommit.Place(id: owner, property: property), key: key)
    return span.commit.replacedEntries.contains(entry)
      && !span.commit.passingEntries.contains(entry)
  }
}
