import Herald

/// A commit with its changes, as the line of a feed or in words.
struct CommitOutput {
  let commit: CommitVersions
  let context: Context

  /// The commit as the line of a feed, or in words.
  var line: OutputLine {
    get throws {
      let output = ObjectOutput(before: commit.before, after: commit.after, context) { [commit] in
        commit.listChange($0, of: $1)
      }
      func outputs(_ changes: [CommitVersions.ObjectChange]) throws -> [CommitText.Change] {
        try changes.map {
          if context.shell.interruption.isRequested { throw HeraldError.interrupted }
          return try output.change($0)
        }
      }
      let changes = try outputs(commit.changes)
      let alterations = try outputs(commit.alterations)
      var fields = CommitText.fields(commit.summary)
      func add(_ name: String, _ changes: [CommitText.Change]) {
        fields.append(OutputValue.Field(name: name, value: .list(changes.map { .map($0.fields) })))
      }
      add("changes", changes)
      if let classes = commit.classes {
        fields.append(
          OutputValue.Field(
            name: "schema", value: .list(classes.map { .plain(.string(LiteralText.text($0))) })))
        add("altered", alterations)
      }
      return .commit(
        CommitText.title(commit.summary),
        CommitText.classChanges(commit) + (changes + alterations).map(\.line), .map(fields))
    }
  }

  func emit() throws { context.emit(try line) }
}
