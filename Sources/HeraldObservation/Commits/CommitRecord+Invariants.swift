import HeraldModel

extension CommitRecord {
  /// The invariants of the record that do not hold. O(changes).
  package var violations: [String] {
    var found: [String] = []
    if firstVersion > lastVersion { found.append("the first version is after the last") }
    for (classID, change) in classes {
      if change.isEmpty { found.append("class \(classID.rawValue) is listed without a change") }
      found += change.violations
      if firstVersion == lastVersion { found += change.violationsOfOneCommit }
    }
    return found
  }
}

extension ClassChange {
  /// The invariants of the change that do not hold. O(changes).
  package var violations: [String] {
    var found = created.violations
    for number in modifiedNumbers
    where created.contains(number) || deleted[number] != nil {
      found.append("object \(number) is modified, and created or deleted")
    }
    for delta in properties.values {
      for list in delta.lists.values {
        found += list.violations
        if list.isEmpty && !list.differs { found.append("a list is listed without a change") }
      }
      for set in delta.sets.values { found += set.violations }
      for map in delta.maps.values { found += map.violations }
    }
    for object in deleted.values where object.values.entries.contains(where: \.value.isNull) {
      found.append("a deleted object lists a value that was nil")
    }
    return found
  }

  fileprivate var violationsOfOneCommit: [String] {
    var found: [String] = []
    for number in deleted.keys where created.contains(number) {
      found.append("object \(number) is created and deleted")
    }
    for delta in properties.values {
      if delta.sets.values.contains(where: \.isEmpty) {
        found.append("a set is listed without a change")
      }
      for map in delta.maps.values {
        if map.isEmpty { found.append("a map is listed without a change") }
        if !map.restored.isEmpty { found.append("one commit removed a key and set it again") }
      }
    }
    return found
  }

  private var modifiedNumbers: Set<ObjectNumber> {
    var numbers: Set<ObjectNumber> = []
    forEachModified { numbers.insert($0) }
    for delta in properties.values { numbers.formUnion(delta.lists.keys) }
    return numbers
  }
}

extension SetDelta {
  /// The invariants of the change that do not hold. O(changes).
  package var violations: [String] {
    inserted.isDisjoint(with: removed) ? [] : ["a value of a set is inserted and removed"]
  }
}

extension MapDelta {
  /// The invariants of the change that do not hold. O(changes).
  package var violations: [String] {
    var seen = inserted
    var found: [String] = []
    for keys in [removed.keys, modified.keys, restored.keys] {
      for key in keys where !seen.insert(key) {
        found.append("the key \(key) of a map changed in two ways")
      }
    }
    return found
  }
}
