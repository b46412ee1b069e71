import Herald

/// A commit with its changes, as the line of a feed or in words.
struct CommitOutput {
  let commit: CommitVersions
  let context: Context

  /// Emits a commit as the line of a feed, or in words.
  func emit() throws {
    func outputs(_ changes: [CommitVersions.ObjectChange]) throws -> [CommitText.Change] {
      try changes.map {
        if context.shell.interruption.isRequested { throw HeraldError.interrupted }
        return try output($0)
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
    context.emit(
      .commit(
        CommitText.title(commit.summary),
        CommitText.classChanges(commit) + (changes + alterations).map(\.line), .map(fields)))
  }

  /// One object's change, for output.
  private func output(_ change: CommitVersions.ObjectChange) throws -> CommitText.Change {
    let isInserted = if case .inserted = change.change { true } else { false }
    let home = if case .deleted = change.change { commit.before } else { commit.after }
    let before = context.session.reading(commit.before)
    let after = context.session.reading(commit.after)
    let label = home.label(of: change.object)
    switch change.change {
    case .inserted, .deleted:
      let classSchema = isInserted ? change.classSchema : commit.previous(change)
      let fields = try contents(
        classSchema.properties.filter { !$0.type.isBacklinks }, of: change.object,
        isInserted ? after : before)
      return CommitText.Change(label, isInserted ? .inserted(fields) : .deleted(fields))
    case .altered(let names):
      let (old, new) = (
        try contents(named: names, of: change.object, before),
        try contents(named: names, of: change.object, after)
      )
      return CommitText.Change(
        label,
        .modified(
          zip(old, new).map { old, new in
            CommitText.Modification(name: new.name, old: old.value, new: new.value)
          }))
    case .modified(let properties):
      let (old, new) = (
        try contents(properties, of: change.object, before),
        try contents(properties, of: change.object, after)
      )
      return CommitText.Change(
        label,
        .modified(
          zip(properties, zip(old, new)).map { property, values in
            CommitText.Modification(
              name: values.1.name, old: values.0.value, new: values.1.value,
              rows: property.type.shape == .list
                ? commit.listChange(property.id, of: change.object) : nil)
          }))
    }
  }

  /// The values of properties by their names; one that the version lacks is nil.
  private func contents(
    named names: [String], of id: ObjectID, _ session: ShellSession
  ) throws -> [OutputValue.Field] {
    let fields = try session.store?.object(id).map { try session.fields($0) } ?? []
    return names.map { name in fields.first { $0.name == name } ?? OutputValue.Field(name, .null) }
  }

  /// The values of properties, as `show` has them; a property that the version lacks is nil.
  private func contents(
    _ properties: [PropertySchema], of id: ObjectID, _ session: ShellSession
  ) throws -> [OutputValue.Field] {
    let object = session.store?.object(id)
    let fields = try object.map { try session.fields($0) } ?? []
    let classSchema = try object?.classSchema
    return properties.map { property in
      let index = classSchema?.order(of: property.id)
      return OutputValue.Field(
        name: property.name, value: index.map { fields[$0].value } ?? .plain(.null))
    }
  }
}
