import Herald

/// A commit as `log` and `follow store` print it.
package enum CommitText {
  /// A line about one object or one class.
  package struct Line: Hashable, Sendable {
    enum Sign: String {
      case added = "+"
      case changed = "~"
      case removed = "-"
    }
    private let sign: Sign
    /// The object or the class; empty if the line has no column for it.
    let label: String
    /// What follows, in pieces between which a line is broken first.
    private let pieces: [String]

    init(_ sign: Sign, _ label: String, _ pieces: [String]) {
      self.sign = sign
      self.label = label
      self.pieces = pieces
    }

    private var head: String { label.isEmpty ? sign.rawValue : "\(sign.rawValue) \(label)" }

    var text: String { "\(head) \(pieces.joined(separator: ", "))" }

    /// The text, safe for a terminal, in lines of at most `columns` columns below a title.
    ///
    /// - Parameter labels: the width of the column of labels; nil to align nothing.
    func lines(_ columns: Int, labels: Int?) -> [String] {
      var begin = "  " + head.visible
      if let labels, !label.isEmpty {
        let room = labels - TextWidth.columns(label.visible)
        begin += String(repeating: " ", count: max(0, room))
      }
      begin += " "
      let pieces = pieces.map(\.visible)
      let hanging = labels == nil || label.isEmpty ? 4 : TextWidth.columns(begin)
      let whole = begin + pieces.joined(separator: ", ")
      if pieces.count < 2 || TextWidth.columns(whole) <= columns {
        return TextWidth.lines(whole, columns: columns, hanging: hanging + 1)
      }
      return pieces.enumerated().flatMap { index, piece in
        let start = index == 0 ? begin : String(repeating: " ", count: hanging)
        let end = index == pieces.count - 1 ? "" : ","
        return TextWidth.lines(start + piece + end, columns: columns, hanging: hanging + 2)
      }
    }

    /// The width of the column of labels in a window; nil if they would take too much of it.
    static func labelWidth(_ lines: [Line], columns: Int) -> Int? {
      let width = lines.lazy.map { TextWidth.columns($0.label.visible) }.max() ?? 0
      return width <= columns / 4 ? width : nil
    }

    /// The escape sequence of its color.
    var color: String {
      switch sign {
      case .added: "\u{1B}[32m"
      case .changed: "\u{1B}[33m"
      case .removed: "\u{1B}[31m"
      }
    }
  }

  struct Modification: Hashable {
    let name: String
    let old: OutputValue
    let new: OutputValue
    /// How a list changed; nil for other values.
    var rows: ChangeSet?
  }

  /// What became of one object.
  package struct Change: Hashable, Sendable {
    enum Kind: Hashable {
      case inserted([OutputValue.Field])
      case modified([Modification])
      case deleted([OutputValue.Field])
    }
    private let label: ObjectLabel
    private let kind: Kind
    private let projection: String?

    /// - Parameter projection: the name of the projection through which the object is seen.
    init(_ label: ObjectLabel, _ kind: Kind, through projection: String? = nil) {
      self.label = label
      self.kind = kind
      self.projection = projection
    }

    /// The members of the object in JSON.
    var fields: [OutputValue.Field] {
      let change: OutputValue.Field =
        switch kind {
        case .inserted(let fields): OutputValue.Field(name: "inserted", value: .map(fields))
        case .deleted(let fields): OutputValue.Field(name: "deleted", value: .map(fields))
        case .modified(let properties):
          OutputValue.Field(
            name: "modified",
            value: .map(
              properties.map { OutputValue.Field(name: $0.name, value: .list([$0.old, $0.new])) }))
        }
      let seen = projection.map { [OutputValue.Field("projection", .string($0))] } ?? []
      return seen + [
        OutputValue.Field("class", .string(label.className)),
        OutputValue.Field("key", label.key), change,
      ]
    }

    /// `+ Dog#3 {name: "Max"}`, `~ Card of Dog#3 age: 3 → 4`, `- Dog#3 {name: "Max"}`
    var line: Line {
      let name = (projection.map { "\($0) of " } ?? "") + LiteralText.text(label)
      return switch kind {
      case .inserted(let fields): Line(.added, name, [LiteralText.text(.row(fields))])
      case .deleted(let fields): Line(.removed, name, [LiteralText.text(.row(fields))])
      case .modified(let properties):
        Line(.changed, name, properties.map { "\($0.name): \($0.text)" })
      }
    }
  }

  /// The members of a commit in JSON.
  static func fields(_ commit: CommitSummary) -> [OutputValue.Field] {
    let classes = commit.classes.map { counts in
      OutputValue.Field(
        name: counts.className,
        value: .map([
          OutputValue.Field("inserted", .int(counts.inserted)),
          OutputValue.Field("modified", .int(counts.modified)),
          OutputValue.Field("deleted", .int(counts.deleted)),
        ]))
    }
    var fields = [
      OutputValue.Field("version", .int(commit.version)),
      OutputValue.Field("time", .date(commit.time)),
      OutputValue.Field("message", commit.message.map { .string($0) } ?? .null),
      OutputValue.Field("session", .string(commit.session)),
      OutputValue.Field("process", .int(commit.process)),
      OutputValue.Field("size", .int(commit.size)),
      OutputValue.Field(name: "classes", value: .map(classes)),
    ]
    if commit.isSchemaChange { fields.append(OutputValue.Field("schemaChanged", .bool(true))) }
    if let reverts = commit.reverts { fields.append(OutputValue.Field("reverts", .int(reverts))) }
    return fields
  }

  /// The arrays of an update event.
  static func value(_ changes: ChangeSet) -> OutputValue {
    func rows(_ name: String, _ rows: [Int]) -> OutputValue.Field {
      OutputValue.Field(name: name, value: .list(rows.map { .plain(.int($0)) }))
    }
    let moves = changes.moves.map {
      OutputValue.list([.plain(.int($0.old)), .plain(.int($0.new))])
    }
    return .map([
      rows("deletions", changes.deletions), rows("insertions", changes.insertions),
      rows("modifications", changes.modifications),
      rows("modificationsNew", changes.modificationsNew),
      OutputValue.Field(name: "moves", value: .list(moves)),
    ])
  }

  /// The arrays of an update event of a map.
  static func value(_ changes: MapChangeSet) -> OutputValue {
    func keys(_ name: String, _ keys: [String]) -> OutputValue.Field {
      OutputValue.Field(name: name, value: .list(keys.map { .plain(.string($0)) }))
    }
    return .map([
      keys("deletions", changes.deletions), keys("insertions", changes.insertions),
      keys("modifications", changes.modifications),
      keys("modificationsNew", changes.modifications), keys("moves", []),
    ])
  }

  /// The columns of a commit in a table.
  static func columns(_ commit: CommitSummary) -> [OutputValue.Field] {
    let fields = fields(commit)
    func named(_ names: Set<String>) -> [OutputValue.Field] {
      fields.filter { names.contains($0.name) }
    }
    // What a narrow terminal has no room for is at the end.
    return named(["version"]) + [
      OutputValue.Field("changes", .string(changes(commit))),
      OutputValue.Field("message", .string(commit.message ?? "")),
    ] + named(["time", "session", "process", "size"])
  }

  /// The smallest widths of these columns: version and numbers are whole, and a time has its seconds.
  static let smallestWidths = [12, 20, 8, 20, 8, 10, 12]

  /// `Dog +1 ~2 -3, Person +1`
  private static func changes(_ commit: CommitSummary) -> String {
    var parts = commit.classes.map { counts in
      var text = counts.className
      if counts.inserted > 0 { text += " +\(counts.inserted)" }
      if counts.modified > 0 { text += " ~\(counts.modified)" }
      if counts.deleted > 0 { text += " -\(counts.deleted)" }
      return text
    }
    if commit.isSchemaChange { parts.append("classes changed") }
    if let reverts = commit.reverts { parts.append("reverts \(reverts)") }
    return parts.joined(separator: ", ")
  }

  /// `+ class Dog { name: string }`, `~ class Dog { … }`, `- class Dog`; empty for a commit that changed no class.
  static func classChanges(_ commit: CommitVersions) -> [Line] {
    guard let classes = commit.classes else { return [] }
    let schema = commit.before.schema
    let previous = schema.classes.filter(\.isDeclared).map { schema.definition(of: $0) }
    let changed = classes.filter { !previous.contains($0) }
    return changed.map { definition in
      let lines = LiteralText.text(definition).split(separator: "\n")
        .map { $0.drop { $0 == " " } }
      let text =
        lines.count < 3
        ? lines.joined(separator: " ")
        : "\(lines[0]) \(lines.dropFirst().dropLast().joined(separator: "; ")) }"
      return Line(previous.contains { $0.name == definition.name } ? .changed : .added, "", [text])
    }
      + previous.filter { old in !classes.contains { $0.name == old.name } }
      .map { Line(.removed, "", ["class \($0.name)"]) }
  }

  /// `version 4, 2026-11-24T10:00:00Z, main (process 123): why`
  static func title(_ commit: CommitSummary) -> String {
    var text =
      "version \(commit.version), \(commit.time.iso8601), \(commit.session) (process \(commit.process))"
    if let reverts = commit.reverts { text += ", reverts version \(reverts)" }
    if commit.isSchemaChange { text += ", changes classes" }
    return commit.message.map { "\(text): \($0.quoted)" } ?? text
  }
}
