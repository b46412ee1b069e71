import Herald

extension ExpectedEvent {
  func matches(_ kind: Event.Kind) -> Bool {
    switch (self, kind) {
    case (.initial(let count), .initial(let actual)): count == actual
    case (.initial(let count), .initialSections(let actual, _)): count == actual
    case (.initial(let count), .value(old: nil, let new)):
      Self.isSame(String(count), LiteralText.text(new))
    case (.value(let old, let new), .value(let actualOld, let actualNew)):
      Self.isSame(new, LiteralText.text(actualNew))
        && (old == nil) == (actualOld == nil)
        && Self.isSame(old ?? "", actualOld.map { LiteralText.text($0) } ?? "")
    case (.update(let rows), .update(let changes, let ownerDeleted)):
      rows == ExpectedEvent.Rows(changes, ownerDeleted)
    case (.update(let rows), .mapUpdate(let changes, let ownerDeleted)):
      rows == ExpectedEvent.Rows(changes, ownerDeleted)
    case (.update(let rows), .sections(let changes, let ownerDeleted)):
      rows == ExpectedEvent.Rows(changes, ownerDeleted)
    case (.property(let property), .property(let actual)): property.matches(actual)
    case (
      .propertyRows(let name, let kind, let rows),
      .propertyRows(let actualName, let actualKind, let actualRows)
    ):
      name == actualName && kind == actualKind && rows == actualRows
    case (.change(let properties), .change(let actual)):
      properties.count == actual.count && zip(properties, actual).allSatisfy { $0.matches($1) }
    case (.error(let message), .error(let actual)): message == actual
    case (.deleted, .deleted), (.changed, .changed), (.refreshRequired, .refreshRequired): true
    case (_, _): false
    }
  }

  /// Whether an expected text means an actual value: 120 is 120.0, and 2026-01-01 the midnight of that day.
  fileprivate static func isSame(_ expected: String, _ actual: String) -> Bool {
    if expected == actual { return true }
    if let number = Decimal128(expected), let other = Decimal128(actual) { return number == other }
    guard let date = Timestamp(literal: actual) else { return false }
    let isQuoted =
      expected.utf8.first == Byte.doubleQuote || expected.utf8.first == Byte.singleQuote
    return Timestamp(literal: isQuoted ? String(expected.dropFirst().dropLast()) : expected) == date
  }

  /// The text of the event, as in the output.
  var text: String {
    switch self {
    case .initial(let count): EventText.lines(.initial(count: count)).joined(separator: ", ")
    case .value(let old, let new): (old.map { "\($0) -> " } ?? "initial ") + new
    case .update(let rows): rows.text
    case .change(let properties):
      "change "
        + properties.map { property in
          property.name + (property.values.map { " \($0.old) -> \($0.new)" } ?? "")
        }.joined(separator: ", ")
    case .deleted: "deleted"
    case .changed: "changed"
    case .refreshRequired: "refresh required"
    case .error(let message): "error \(message.quoted)"
    case .property(let property):
      property.name + (property.values.map { " \($0.old) -> \($0.new)" } ?? "")
    case .propertyRows(let name, let kind, let rows):
      EventText.lines(.propertyRows(name: name, kind: kind, rows: rows)).joined(separator: ", ")
    }
  }
}

extension ExpectedEvent.Rows {
  init(_ changes: ChangeSet, _ ownerDeleted: Bool) {
    deletions = changes.deletions.map { .position($0) }
    insertions = changes.insertions.map { .position($0) }
    modifications = changes.modifications.map { .position($0) }
    modificationsNew = changes.modificationsNew.map { .position($0) }
    isOwnerDeleted = ownerDeleted
  }

  init(_ changes: SectionChangeSet, _ ownerDeleted: Bool) {
    sectionDeletions = changes.sectionDeletions
    sectionInsertions = changes.sectionInsertions
    deletions = changes.deletions.map { .inSection($0) }
    insertions = changes.insertions.map { .inSection($0) }
    modifications = changes.modifications.map { .inSection($0) }
    modificationsNew = changes.modificationsNew.map { .inSection($0) }
    isOwnerDeleted = ownerDeleted
  }

  init(_ changes: MapChangeSet, _ ownerDeleted: Bool) {
    deletions = changes.deletions.map { .key($0) }
    insertions = changes.insertions.map { .key($0) }
    modifications = changes.modifications.map { .key($0) }
    modificationsNew = modifications
    isOwnerDeleted = ownerDeleted
  }

  var text: String {
    let texts = { (rows: [ExpectedEvent.Row]) in rows.map(\.text) }
    return EventText.lines(
      sectionDeletions: sectionDeletions, sectionInsertions: sectionInsertions,
      deletions: texts(deletions), insertions: texts(insertions),
      modifications: zip(texts(modifications), texts(modificationsNew)).map { ($0, $1) },
      ownerDeleted: isOwnerDeleted
    ).joined(separator: ", ")
  }
}

extension ExpectedEvent.Row {
  var text: String {
    switch self {
    case .position(let position): String(position)
    case .inSection(let position): position.text
    case .key(let key): key.quoted
    }
  }
}

extension ExpectedEvent.Property {
  func matches(_ actual: Event.Property) -> Bool {
    guard name == actual.name else { return false }
    guard let values else { return true }
    guard let actual = actual.values else { return false }
    return ExpectedEvent.isSame(values.old, LiteralText.text(actual.old))
      && ExpectedEvent.isSame(values.new, LiteralText.text(actual.new))
  }
}
