import Herald

/// Renders events as lines of text, one for each kind, always in the same order.
enum EventText {
  /// With the token's name, and the session's where it is not `main`.
  static func write(_ event: Event, in window: Window? = nil, _ output: inout OutputBuffer) {
    let prefix = name(of: event) + ": "
    for line in lines(event.kind) {
      let color = window?.isColored == true ? color(of: line, event.kind) : nil
      if let color {
        output.write(drawn: "\(prefix.visible)\(color)\(line.visible)\u{1B}[0m")
      } else {
        output.write(line: prefix + line)
      }
      for row in event.rows(after: line) { output.write(line: "  " + row.text) }
    }
    if case .change = event.kind {
      for row in event.objects?.modified ?? [] { output.write(line: "  " + row.text) }
    }
  }

  /// Red for deletions, green for insertions, yellow for modifications; nil for other lines.
  private static func color(of line: String, _ kind: Event.Kind) -> String? {
    let (red, green, yellow) = ("\u{1B}[31m", "\u{1B}[32m", "\u{1B}[33m")
    switch kind {
    case .initial, .initialSections, .changed, .refreshRequired: return nil
    case .deleted, .error: return red
    case .change, .property, .propertyRows, .value: return yellow
    case .update, .sections, .mapUpdate:
      if line.hasPrefix(Word.insertions) || line.hasPrefix(Word.sectionInsertions) { return green }
      return line.hasPrefix(Word.modifications) ? yellow : red
    }
  }

  /// The whole event in one line, for error messages.
  static func line(_ event: Event) -> String {
    "\(name(of: event)): \(lines(event.kind).joined(separator: ", "))"
  }

  private static func name(of event: Event) -> String {
    event.session == "main" ? event.token : "\(event.session)/\(event.token)"
  }

  static func lines(_ kind: Event.Kind) -> [String] {
    switch kind {
    case .initial(let count): ["initial \(count) row\(count == 1 ? "" : "s")"]
    case .update(let changes, let ownerDeleted):
      lines(
        deletions: changes.deletions.map(String.init),
        insertions: changes.insertions.map(String.init),
        modifications: zip(changes.modifications, changes.modificationsNew)
          .map { (String($0), String($1)) },
        ownerDeleted: ownerDeleted)
    case .mapUpdate(let changes, let ownerDeleted):
      lines(
        deletions: changes.deletions.map(\.quoted), insertions: changes.insertions.map(\.quoted),
        modifications: changes.modifications.map { ($0.quoted, $0.quoted) },
        ownerDeleted: ownerDeleted)
    case .initialSections(let count, let sections):
      [
        lines(.initial(count: count)).joined()
          + " in \(sections.count) section\(sections.count == 1 ? "" : "s")"
      ]
    case .sections(let changes, let ownerDeleted):
      lines(
        sectionDeletions: changes.sectionDeletions, sectionInsertions: changes.sectionInsertions,
        deletions: changes.deletions.map(\.text), insertions: changes.insertions.map(\.text),
        modifications: zip(changes.modifications, changes.modificationsNew)
          .map { ($0.text, $1.text) },
        ownerDeleted: ownerDeleted)
    case .change(let properties): properties.map { "change " + text($0) }
    case .deleted: ["deleted"]
    case .changed: ["changed"]
    case .refreshRequired: ["refresh required"]
    case .property(let property): [text(property)]
    case .propertyRows(let name, let kind, let rows):
      ["\(name) \(kind.word)" + (kind == .setting ? "" : " " + list(rows.map(String.init)))]
    case .value(old: nil, let new): ["initial \(LiteralText.text(new))"]
    case .value(let old?, let new): ["\(LiteralText.text(old)) -> \(LiteralText.text(new))"]
    case .error(let message): ["error \(message.quoted)"]
    }
  }

  /// Rows as texts: positions, or a map's keys.
  static func lines(
    sectionDeletions: [Int] = [], sectionInsertions: [Int] = [],
    deletions: [String], insertions: [String], modifications: [(old: String, new: String)],
    ownerDeleted: Bool
  ) -> [String] {
    var lines: [String] = []
    if !sectionDeletions.isEmpty {
      lines.append(Word.sectionDeletions + list(sectionDeletions.map(String.init)))
    }
    if !deletions.isEmpty { lines.append(Word.deletions + list(deletions)) }
    if !sectionInsertions.isEmpty {
      lines.append(Word.sectionInsertions + list(sectionInsertions.map(String.init)))
    }
    if !insertions.isEmpty { lines.append(Word.insertions + list(insertions)) }
    if !modifications.isEmpty {
      let texts = modifications.map { $0.old == $0.new ? $0.old : "\($0.old)->\($0.new)" }
      lines.append(Word.modifications + list(texts))
    }
    if ownerDeleted { lines.append("owner deleted") }
    return lines
  }

  /// The prefixes of the lines with rows.
  fileprivate enum Word {
    static let deletions = "deletions "
    static let insertions = "insertions "
    static let modifications = "modifications "
    static let sectionDeletions = "sections deleted "
    static let sectionInsertions = "sections inserted "
  }

  private static func list(_ texts: [String]) -> String {
    "[" + texts.joined(separator: ", ") + "]"
  }

  static func text(_ property: Event.Property) -> String {
    guard let values = property.values else { return property.name }
    let (old, new) = (LiteralText.text(values.old), LiteralText.text(values.new))
    return "\(property.name) \(old) -> \(new)"
  }
}

extension Event {
  /// The rows that are written below a line of the event.
  fileprivate func rows(after line: String) -> [EventDetails.Row] {
    switch kind {
    case .initial: return objects?.positionedRows ?? []
    case .initialSections(_, let sections):
      return objects?.positionedRows.placed(sections.map(\.count).positions) ?? []
    case .update, .sections, .mapUpdate, .change, .deleted, .changed, .refreshRequired, .property,
      .propertyRows, .value, .error:
      break
    }
    return (details ?? objects?.details)?.rows(after: line) ?? []
  }
}

extension [Int] {
  /// The positions of rows in sections of so many.
  fileprivate var positions: [SectionChangeSet.Position] {
    enumerated().flatMap { section, count in
      (0..<count).map { SectionChangeSet.Position(section: section, row: $0) }
    }
  }
}

extension EventDetails {
  /// The rows of a line of the event.
  fileprivate func rows(after line: String) -> [Row] {
    if line.hasPrefix(EventText.Word.deletions) { return deletions }
    if line.hasPrefix(EventText.Word.insertions) { return insertions }
    return line.hasPrefix(EventText.Word.modifications) ? modifications : []
  }
}

extension SectionChangeSet.Position {
  /// `0.2`: the third row of the first section.
  var text: String { "\(section).\(row)" }
}

extension ListChangeKind {
  /// As events and expectations write it.
  var word: String {
    switch self {
    case .insertion: "insertion"
    case .removal: "removal"
    case .replacement: "replacement"
    case .setting: "setting"
    }
  }
}
