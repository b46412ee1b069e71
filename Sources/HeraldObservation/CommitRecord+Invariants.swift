import HeraldModel

extension CommitRecord {
  /// What is wrong with the record; empty where nothing is. O(changes).
  package var violations: [String] {
    var found: [String] = []
    if firstVersion > lastVersion { found.append("it ends before it begins") }
    for (classID, change) in classes {
      if change.isEmpty { found.append("class \(classID.rawValue) is listed without a change") }
      found += change.violations
    }
    return found
  }
}

extension ClassChange {
  /// What is wrong with the change; empty where nothing is. O(changes).
  package var violations: [String] {
    var found = created.violations
    for number in deleted.keys where created.contains(number) {
      found.append("object \(number) is created and deleted")
    }
    for number in columns.values.flatMap(\.keys) + lists.values.flatMap(\.keys)
    where created.contains(number) || deleted[number] != nil {
      found.append("object \(number) is modified, and created or deleted")
    }
    for list in lists.values.flatMap(\.values) {
      found += list.violations
      if list.isEmpty && !list.differs { found.append("a list is listed without a change") }
    }
    return found
  }
}
