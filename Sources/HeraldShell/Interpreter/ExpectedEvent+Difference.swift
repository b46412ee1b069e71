import Herald

extension ExpectedEvent {
  /// How an event of the same kind differs from the one expected: what is missing in it, and what it
  /// has besides. Empty for events of different kinds, which need no comparison.
  func difference(from kind: Event.Kind) -> [String] {
    switch (self, kind) {
    case (.update(let rows), .update(let changes, let ownerDeleted)):
      Self.difference(rows, Rows(changes, ownerDeleted))
    case (.update(let rows), .mapUpdate(let changes, let ownerDeleted)):
      Self.difference(rows, Rows(changes, ownerDeleted))
    case (.change(let properties), .change(let told)):
      Self.missing(properties.filter { one in !told.contains { one.matches($0) } })
        + Self.besides(told.filter { one in !properties.contains { $0.matches(one) } })
    case (_, _): []
    }
  }

  private static func difference(_ expected: Rows, _ seen: Rows) -> [String] {
    [("missing", expected.without(seen)), ("not expected", seen.without(expected))]
      .filter { !$0.1.text.isEmpty }.map { "\($0.0): \($0.1.text)" }
  }

  private static func missing(_ properties: [Property]) -> [String] {
    properties.isEmpty ? [] : ["missing: " + ExpectedEvent.change(properties).text]
  }

  private static func besides(_ properties: [Event.Property]) -> [String] {
    properties.isEmpty
      ? [] : ["not expected: change " + properties.map(EventText.text).joined(separator: ", ")]
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
