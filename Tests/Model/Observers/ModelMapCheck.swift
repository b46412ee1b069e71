import HeraldModel
import HeraldObservation

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
      guard let former = old[key] else { return false }
      return former != value || isReplaced(key) || span.leadsToModified(value, filter)
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
