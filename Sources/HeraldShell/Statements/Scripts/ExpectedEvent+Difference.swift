import Herald

extension ExpectedEvent {
  /// The differences of an event from the expected one of the same kind: missing and unexpected parts.
  /// Empty if the two have nothing in common, as the message shows both.
  func difference(from kind: Event.Kind) -> [String] {
    switch (self, kind) {
    case (.update(let rows), .update(let changes, let ownerDeleted)):
      Self.difference(rows, Rows(changes, ownerDeleted))
    case (.update(let rows), .mapUpdate(let changes, let ownerDeleted)):
      Self.difference(rows, Rows(changes, ownerDeleted))
    case (.update(let rows), .sections(let changes, let ownerDeleted)):
      Self.difference(rows, Rows(changes, ownerDeleted))
    case (.change(let properties), .change(let actual)): Self.difference(properties, actual)
    case (_, _): []
    }
  }

  private static func difference(_ expected: Rows, _ actual: Rows) -> [String] {
    let missing = expected.without(actual)
    if missing == expected { return [] }
    return words(missing: missing.text, unexpected: actual.without(expected).text)
  }

  private static func difference(_ expected: [Property], _ actual: [Event.Property]) -> [String] {
    let missing = expected.filter { one in !actual.contains { one.matches($0) } }
    if missing == expected { return [] }
    let unexpected = actual.filter { one in !expected.contains { $0.matches(one) } }
    return words(
      missing: missing.isEmpty ? "" : ExpectedEvent.change(missing).text,
      unexpected: unexpected.isEmpty
        ? "" : "change " + unexpected.map(EventText.text).joined(separator: ", "))
  }

  private static func words(missing: String, unexpected: String) -> [String] {
    (missing.isEmpty ? [] : ["missing: " + missing])
      + (unexpected.isEmpty ? [] : ["not expected: " + unexpected])
  }
}

extension ExpectedEvent.Rows {
  /// The elements of one side without those of the other. O(rows · rows).
  fileprivate func without(_ other: Self) -> Self {
    var rest = Self()
    rest.sectionDeletions = sectionDeletions.filter { !other.sectionDeletions.contains($0) }
    rest.sectionInsertions = sectionInsertions.filter { !other.sectionInsertions.contains($0) }
    rest.deletions = deletions.filter { !other.deletions.contains($0) }
    rest.insertions = insertions.filter { !other.insertions.contains($0) }
    let others = zip(other.modifications, other.modificationsNew)
    for (old, new) in zip(modifications, modificationsNew)
    where !others.contains(where: { $0 == (old, new) }) {
      rest.modifications.append(old)
      rest.modificationsNew.append(new)
    }
    rest.isOwnerDeleted = isOwnerDeleted && !other.isOwnerDeleted
    return rest
  }
}
