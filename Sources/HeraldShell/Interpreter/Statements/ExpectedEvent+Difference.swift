import Herald

extension ExpectedEvent {
  /// How an event of the same kind differs from the one expected: what is missing in it, and what it
  /// has besides. Empty where nothing of the two is the same, which needs no comparison.
  func difference(from kind: Event.Kind) -> [String] {
    switch (self, kind) {
    case (.update(let rows), .update(let changes, let ownerDeleted)):
      Self.difference(rows, Rows(changes, ownerDeleted))
    case (.update(let rows), .mapUpdate(let changes, let ownerDeleted)):
      Self.difference(rows, Rows(changes, ownerDeleted))
    case (.change(let properties), .change(let told)): Self.difference(properties, told)
    case (_, _): []
    }
  }

  private static func difference(_ expected: Rows, _ seen: Rows) -> [String] {
    let missing = expected.without(seen)
    if missing == expected { return [] }
    return words(missing: missing.text, besides: seen.without(expected).text)
  }

  private static func difference(_ expected: [Property], _ told: [Event.Property]) -> [String] {
    let missing = expected.filter { one in !told.contains { one.matches($0) } }
    if missing == expected { return [] }
    let besides = told.filter { one in !expected.contains { $0.matches(one) } }
    return words(
      missing: missing.isEmpty ? "" : ExpectedEvent.change(missing).text,
      besides: besides.isEmpty
        ? "" : "change " + besides.map(EventText.text).joined(separator: ", "))
  }

  private static func words(missing: String, besides: String) -> [String] {
    (missing.isEmpty ? [] : ["missing: " + missing])
      + (besides.isEmpty ? [] : ["not expected: " + besides])
  }
}

extension ExpectedEvent.Rows {
  /// What is said here and not there. O(rows · rows).
  fileprivate func without(_ other: Self) -> Self {
    var rest = Self()
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
