import Herald

/// A commit as `log` and `follow store` print it.
enum CommitText {
  struct Modification {
    let name: String
    let old: OutputValue
    let new: OutputValue
  }

  /// What became of one object.
  struct Change {
    enum Kind {
      case inserted([OutputValue.Field])
      case modified([Modification])
      case deleted([OutputValue.Field])
    }
    private let label: ObjectLabel
    private let kind: Kind

    init(_ label: ObjectLabel, _ kind: Kind) {
      self.label = label
      self.kind = kind
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
              properties.map {
                OutputValue.Field(name: $0.name, value: .list([$0.old, $0.new]))
              }))
        }
      return [
        OutputValue.Field(name: "class", value: .plain(.string(label.className))),
        OutputValue.Field(name: "key", value: .plain(label.key)), change,
      ]
    }

    /// `+ Dog#3 {name: "Max"}`, `~ Dog#3 age: 3 → 4`, `- Dog#3 {name: "Max"}`
    var text: String {
      switch kind {
      case .inserted(let fields): "+ " + LiteralText.text(.object(label, fields))
      case .deleted(let fields): "- " + LiteralText.text(.object(label, fields))
      case .modified(let properties):
        "~ " + LiteralText.text(label) + " "
          + properties.map {
            "\($0.name): \(LiteralText.text($0.old)) → \(LiteralText.text($0.new))"
          }.joined(separator: ", ")
      }
    }
  }

  /// The members of a commit in JSON.
  static func fields(_ commit: CommitSummary) -> [OutputValue.Field] {
    let classes = commit.classes.map { counts in
      OutputValue.Field(
        name: counts.className,
        value: .map([
          OutputValue.Field(name: "inserted", value: .plain(.int(counts.inserted))),
          OutputValue.Field(name: "modified", value: .plain(.int(counts.modified))),
          OutputValue.Field(name: "deleted", value: .plain(.int(counts.deleted))),
        ]))
    }
    return [
      OutputValue.Field(name: "version", value: .plain(.int(commit.version))),
      OutputValue.Field(name: "time", value: .plain(.date(commit.time))),
      OutputValue.Field(
        name: "message", value: .plain(commit.message.map { .string($0) } ?? .null)),
      OutputValue.Field(name: "session", value: .plain(.string(commit.session))),
      OutputValue.Field(name: "process", value: .plain(.int(commit.process))),
      OutputValue.Field(name: "classes", value: .map(classes)),
    ]
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

  /// The columns of a commit in a table.
  static func columns(_ commit: CommitSummary) -> [OutputValue.Field] {
    var columns = fields(commit).filter { $0.name != "classes" && $0.name != "message" }
    if let size = commit.size {
      columns.append(OutputValue.Field(name: "bytes", value: .plain(.int(size))))
    }
    columns.append(
      OutputValue.Field(name: "changes", value: .plain(.string(changes(commit)))))
    columns.append(
      OutputValue.Field(
        name: "message", value: .plain(commit.message.map { .string($0) } ?? .null)))
    return columns
  }

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

  /// `version 4, 2026-11-24T10:00:00Z, main (process 123): why`
  static func title(_ commit: CommitSummary) -> String {
    var text =
      "version \(commit.version), \(commit.time.iso8601), \(commit.session) (process \(commit.process))"
    if let reverts = commit.reverts { text += ", reverts version \(reverts)" }
    if commit.isSchemaChange { text += ", changes classes" }
    return commit.message.map { "\(text): \($0.quoted)" } ?? text
  }
}
