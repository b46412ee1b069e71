import Herald

/// Output for programs: one JSON object a line. Keys are never renamed; new ones may be added.
enum JSONRenderer {
  static func write(_ line: OutputLine, _ output: inout OutputBuffer) {
    // Times are for people only, so that results are reproducible.
    if case .time = line { return }
    output.write(line: text(line))
  }

  static func text(_ line: OutputLine) -> String {
    switch line {
    case .event(let event): text(event)
    case .values(let values):
      values.count == 1
        ? "{\"result\":\(text(values[0]))}" : "{\"result\":\(array(values.map(text)))}"
    case .table(let rows, _): "{\"result\":\(array(rows.map(text)))}"
    case .count(let count): "{\"result\":\(count)}"
    case .explanation(let explanation): "{\"result\":\(array(explanation.steps.map(text)))}"
    case .time(let time): "{\"time\":\(TextRenderer.text(time).quoted)}"
    case .schema(let classes, let projections, let definitions):
      "{\"schema\":\(array(classes.map(text)))"
        + (projections.isEmpty ? "" : ",\"projections\":\(array(projections.map(text)))")
        + (definitions.isEmpty ? "" : ",\"queries\":\(array(definitions.map(text)))") + "}"
    case .tokens(let tokens): "{\"tokens\":\(array(tokens.map(text)))}"
    case .sessions(let sessions): "{\"sessions\":\(array(sessions.map(text)))}"
    case .report(_, let value), .commit(_, _, let value): "{\"result\":\(text(value))}"
    case .script(let text): "{\"script\":\(text.quoted)}"
    case .history(let entries): "{\"result\":[\(entries.map(\.quoted).joined(separator: ","))]}"
    case .step(let title, let text): "{\"step\":\(title.quoted),\"text\":\(text.quoted)}"
    case .remark(let text): "{\"remark\":\(text.quoted)}"
    case .help(let text): "{\"help\":\(text.quoted)}"
    case .confirmation(let text): "{\"confirmation\":\(text.quoted)}"
    case .echo(let text): "{\"echo\":\(text.quoted)}"
    case .answer(let version): "{\"ok\":true,\"version\":\(version.map(String.init) ?? "null")}"
    }
  }

  private static func array(_ elements: [String]) -> String {
    "[" + elements.joined(separator: ",") + "]"
  }
}

extension JSONRenderer {
  private static func text(_ step: QueryExplanation.Step) -> String {
    let blocks =
      step.blocks.map { ",\"blocks\":\($0.total),\"skipped\":\($0.skipped)" } ?? ""
    return "{\"step\":\(step.kind.rawValue.quoted),\"text\":\(step.text.quoted)"
      + ",\"estimated\":\(step.estimated),\"actual\":\(step.actual)\(blocks)}"
  }
}

// MARK: Events

extension JSONRenderer {
  static func text(_ event: Event) -> String {
    let names =
      "\"token\":\(event.token.quoted),\"session\":\(event.session.quoted)"
      + (event.version.map { ",\"version\":\($0)" } ?? "")
      + (event.reasonToRestart.map { ",\"anew\":\($0.quoted)" } ?? "")
    return switch event.kind {
    case .initial(let count):
      "{\"event\":\"initial\",\(names),\"count\":\(count)\(text(event.objects))}"
    case .update(let changes, let ownerDeleted):
      "{\"event\":\"update\",\(names),\(text(changes))\(text(ownerDeleted: ownerDeleted))"
        + text(event.keys) + text(event.details) + text(event.objects) + "}"
    case .initialSections(let count, let sections):
      "{\"event\":\"initial\",\(names),\"count\":\(count),\"sections\":\(array(sections.map(text)))"
        + text(event.objects) + "}"
    case .sections(let changes, let ownerDeleted):
      "{\"event\":\"update\",\(names),\(text(changes))\(text(ownerDeleted: ownerDeleted))"
        + text(event.keys) + text(event.details) + text(event.objects) + "}"
    case .mapUpdate(let changes, let ownerDeleted):
      "{\"event\":\"update\",\(names),\(text(changes))\(text(ownerDeleted: ownerDeleted))"
        + text(event.details) + text(event.objects) + "}"
    case .change(let properties):
      "{\"event\":\"change\",\(names),\"properties\":\(array(properties.map(text)))"
        + text(event.objects) + "}"
    case .deleted: "{\"event\":\"deleted\",\(names)}"
    case .changed: "{\"event\":\"changed\",\(names)}"
    case .refreshRequired: "{\"event\":\"refreshRequired\",\(names)}"
    case .property(let property): "{\"event\":\"property\",\(names),\(members(property))}"
    case .propertyRows(let name, let kind, let rows):
      "{\"event\":\"property\",\(names),\"name\":\(name.quoted)"
        + ",\"kind\":\(kind.word.quoted),\"rows\":\(self.rows(rows))}"
    case .value(old: nil, let new): "{\"event\":\"initial\",\(names),\"value\":\(text(new))}"
    case .value(let old?, let new):
      "{\"event\":\"value\",\(names),\"old\":\(text(old)),\"new\":\(text(new))}"
    case .error(let message): "{\"event\":\"error\",\(names),\"message\":\(message.quoted)}"
    }
  }

  private static func text(_ keys: EventKeys?) -> String {
    guard let keys else { return "" }
    return ",\"keys\":{\"deletions\":\(array(keys.deletions.map(text)))"
      + ",\"insertions\":\(array(keys.insertions.map(text)))"
      + ",\"modifications\":\(array(keys.modifications.map(text)))}"
  }

  private static func text(_ details: EventDetails?) -> String {
    guard let details else { return "" }
    return ",\"details\":{\"deletions\":\(array(details.deletions.map(text)))"
      + ",\"insertions\":\(array(details.insertions.map(text)))"
      + ",\"modifications\":\(array(details.modifications.map(text)))}"
  }

  private static func text(_ objects: EventObjects?) -> String {
    guard let objects else { return "" }
    if let rows = objects.rows { return ",\"rows\":\(text(rows))" }
    let values = { (rows: [EventDetails.Row]) in array(rows.compactMap(\.new).map(text)) }
    return ",\"inserted\":\(values(objects.inserted)),\"modified\":\(values(objects.modified))"
      + (objects.insertedSections.map { ",\"insertedSections\":\(array($0.map(text)))" } ?? "")
  }

  private static func text(_ row: EventDetails.Row) -> String {
    var text =
      switch row.position {
      case .position(let row): "{\"row\":\(row)"
      case .inSection(let position): "{\"row\":\(text(position))"
      case .key(let key): "{\"row\":\(key.quoted)"
      }
    if let old = row.old { text += ",\"old\":\(self.text(old))" }
    if let new = row.new { text += ",\"new\":\(self.text(new))" }
    if !row.properties.isEmpty { text += ",\"properties\":\(array(row.properties.map(self.text)))" }
    return text + "}"
  }

  private static func text(ownerDeleted: Bool) -> String {
    ownerDeleted ? ",\"ownerDeleted\":true" : ""
  }

  private static func text(_ changes: ChangeSet) -> String {
    let moves = changes.moves.map { "[\($0.old),\($0.new)]" }
    return "\"deletions\":\(rows(changes.deletions)),\"insertions\":\(rows(changes.insertions))"
      + ",\"modifications\":\(rows(changes.modifications))"
      + ",\"modificationsNew\":\(rows(changes.modificationsNew)),\"moves\":\(array(moves))"
  }

  private static func text(_ section: Event.Section) -> String {
    "{\"key\":\(text(section.key)),\"count\":\(section.count)}"
  }

  private static func text(_ position: SectionChangeSet.Position) -> String {
    "[\(position.section),\(position.row)]"
  }

  private static func text(_ changes: SectionChangeSet) -> String {
    let positions = { (positions: [SectionChangeSet.Position]) in array(positions.map(text)) }
    let moves = changes.moves.map { "[\(text($0.old)),\(text($0.new))]" }
    return "\"sectionDeletions\":\(rows(changes.sectionDeletions))"
      + ",\"sectionInsertions\":\(rows(changes.sectionInsertions))"
      + ",\"deletions\":\(positions(changes.deletions))"
      + ",\"insertions\":\(positions(changes.insertions))"
      + ",\"modifications\":\(positions(changes.modifications))"
      + ",\"modificationsNew\":\(positions(changes.modificationsNew)),\"moves\":\(array(moves))"
  }

  /// Keys do not move: the old and the new row of a key are the same.
  private static func text(_ changes: MapChangeSet) -> String {
    let keys = { (keys: [String]) in array(keys.map(\.quoted)) }
    let modifications = keys(changes.modifications)
    return "\"deletions\":\(keys(changes.deletions)),\"insertions\":\(keys(changes.insertions))"
      + ",\"modifications\":\(modifications),\"modificationsNew\":\(modifications),\"moves\":[]"
  }

  private static func rows(_ rows: [Int]) -> String { array(rows.map(String.init)) }

  private static func text(_ property: Event.Property) -> String { "{\(members(property))}" }

  private static func members(_ property: Event.Property) -> String {
    let name = "\"name\":\(property.name.quoted)"
    guard let values = property.values else { return name }
    return "\(name),\"old\":\(text(values.old)),\"new\":\(text(values.new))"
  }
}

// MARK: Values

extension JSONRenderer {
  static func text(_ value: OutputValue) -> String {
    switch value {
    case .plain(let value): text(value)
    case .link(let label): "{\(text(label))}"
    case .object(let label, let fields), .embedded(let label, let fields):
      "{\(text(label)),\"properties\":\(text(fields))}"
    case .projection(let name, let label, let fields):
      "{\"projection\":\(name.quoted),\(text(label))"
        + (fields.map { ",\"properties\":\(text($0))" } ?? "") + "}"
    case .map(let entries), .row(let entries): text(entries)
    case .list(let values): array(values.map(text))
    }
  }

  private static func text(_ fields: [OutputValue.Field]) -> String {
    "{" + fields.map { "\($0.name.quoted):\(text($0.value))" }.joined(separator: ",") + "}"
  }

  private static func text(_ label: ObjectLabel) -> String {
    "\"class\":\(label.className.quoted),\"key\":\(text(label.key))"
  }

  static func text(_ value: Value) -> String {
    switch value {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .int(let value): String(value)
    case .float(let number):
      number.isFinite ? number.description : value.literal { _ in "" }.quoted
    case .double(let number):
      number.isFinite ? number.description : value.literal { _ in "" }.quoted
    case .string(let value): value.quoted
    case .data(let value): value.base64.quoted
    case .date(let value): value.iso8601.quoted
    case .decimal(let value): value.literal.quoted
    case .uuid(let value): value.description.quoted
    case .objectID(let value): value.description.quoted
    case .link(let object): String(object.number)
    case .list(let values): array(values.map { text($0) })
    case .map(let entries):
      "{"
        + entries.inKeyOrder.map { "\($0.key.quoted):\(text($0.value))" }.joined(separator: ",")
        + "}"
    }
  }
}

// MARK: Listings

extension JSONRenderer {
  private static func text(_ definition: ClassDefinition) -> String {
    "{\"class\":\(definition.name.quoted)\(definition.isEmbedded ? ",\"embedded\":true" : "")"
      + ",\"properties\":\(array(definition.properties.map(text)))"
      + (definition.retention.map { ",\"keep\":\($0.description.quoted)" } ?? "") + "}"
  }

  private static func text(_ definition: QueryDefinition) -> String {
    "{\"query\":\(definition.name.quoted),\"text\":\(definition.text.quoted)}"
  }

  private static func text(_ projection: ProjectionDefinition) -> String {
    let fields = projection.fields.map { "{\"name\":\($0.name.quoted),\"path\":\($0.path.quoted)}" }
    return "{\"projection\":\(projection.name.quoted),\"class\":\(projection.className.quoted)"
      + ",\"fields\":\(array(fields))}"
  }

  private static func text(_ property: ClassDefinition.Property) -> String {
    var text = "{\"name\":\(property.name.quoted),\"type\":\(property.typeName.quoted)"
    if property.isPrimaryKey { text += ",\"primary\":true" }
    if property.isIndexed { text += ",\"indexed\":true" }
    if property.isGenerated { text += ",\"generated\":true" }
    switch property.defaultValue {
    case nil: break
    case .value(let value): text += ",\"default\":\(self.text(value))"
    case .list(let values): text += ",\"default\":\(array(values.map { self.text($0) }))"
    case .map(let entries): text += ",\"default\":\(self.text(Value.map(entries)))"
    }
    return text + "}"
  }

  private static func text(_ token: OutputLine.TokenDescription) -> String {
    "{\"token\":\(token.name.quoted),\"session\":\(token.session.quoted)"
      + ",\"observes\":\(token.subject.quoted)"
      + (token.keyPaths.map { ",\"keypaths\":\(array($0.map(\.quoted)))" } ?? "") + "}"
  }

  private static func text(_ session: OutputLine.SessionDescription) -> String {
    "{\"session\":\(session.name.quoted),\"version\":\(session.version)"
      + ",\"current\":\(session.isCurrent),\"autorefresh\":\(session.autorefreshes)"
      + ",\"inWrite\":\(session.isInWrite)}"
  }
}
