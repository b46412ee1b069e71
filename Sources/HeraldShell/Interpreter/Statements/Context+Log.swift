import Herald

/// The log of commits: `log`, `keep log`, `undo`, and versions of the past.
extension Context {
  /// `log 20 Dog`: the last commits, newest first.
  func listLog(_ count: ExpressionSyntax?, of className: Name?) throws {
    let limit = try count.map { try self.count($0, "a number of commits") } ?? 10
    let commits: [CommitSummary]
    do {
      commits = try store.log(limit, of: className?.text)
    } catch {
      guard let span = className?.span ?? count?.span else { throw error }
      throw located(error, source, span)
    }
    if shell.mode == .json {
      return emit(.values([.list(commits.map { OutputValue.map(CommitText.fields($0)) })]))
    }
    try show(commits.count, smallest: CommitText.smallestWidths) {
      .row(CommitText.columns(commits[$0]))
    }
  }

  /// `log version 42`: one commit with its changes.
  func showCommit(_ version: ExpressionSyntax) throws {
    let store = try self.store
    let number = try self.version(version)
    do {
      try emit(store.commitVersions(number))
    } catch {
      throw located(error, source, version.span)
    }
  }

  /// Emits a commit as the line of a feed, or in words.
  func emit(_ commit: CommitVersions) throws {
    func outputs(_ changes: [CommitVersions.ObjectChange]) throws -> [CommitText.Change] {
      try changes.map {
        if shell.interruption.isRequested { throw HeraldError.interrupted }
        return try commitChange($0, of: commit, session)
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
    emit(
      .commit(
        CommitText.title(commit.summary),
        CommitText.classChanges(commit) + (changes + alterations).map(\.line), .map(fields)))
  }

  /// One object's change, for output.
  private func commitChange(
    _ change: CommitVersions.ObjectChange, of commit: CommitVersions, _ session: ShellSession
  ) throws -> CommitText.Change {
    let isInserted = if case .inserted = change.change { true } else { false }
    let home = if case .deleted = change.change { commit.before } else { commit.after }
    let before = session.reading(commit.before)
    let after = session.reading(commit.after)
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
    return names.map { name in
      fields.first { $0.name == name } ?? OutputValue.Field(name: name, value: .plain(.null))
    }
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

  /// `version`: the number of the last commit, or of the last one not later than a time.
  func showVersion(at time: ExpressionSyntax?) throws {
    let version = try time.map { try self.version($0) } ?? store.version
    emit(.values([.plain(.int(version))]))
  }

  /// `keep log 7d`
  func keepLog(_ amount: Name?) throws {
    guard let amount else {
      return emit(.values([.plain(.string(try store.logRetention.description))]))
    }
    guard let retention = LogRetention(amount.text) else {
      throw ShellError(
        .expected("'7d', '1GB', '10000' or 'all'", found: "'\(amount.text)'"), source,
        amount.span)
    }
    try storeOutsideTransaction("keep log").keepLog(retention)
    confirm { "keeping \(amount.text) of the log" }
  }

  func undo(_ version: ExpressionSyntax?) throws {
    let store = try storeOutsideTransaction("undo")
    let number = try version.map { try self.version($0) }
    let undone: Int
    do {
      undone = try shell.naming(session) { try store.undo(number) }
    } catch {
      guard let version else { throw error }
      throw located(error, source, version.span)
    }
    confirm { "undid version \(undone)" }
  }

  func redo() throws {
    let store = try storeOutsideTransaction("redo")
    let undo = try shell.naming(session) { try store.redo() }
    confirm { "took back version \(undo)" }
  }

  private func storeOutsideTransaction(_ statement: String) throws -> DynamicStore {
    let store = try self.store
    if store.isInWrite { throw Diagnostic.ownTransaction(statement) }
    return store
  }

  // MARK: Versions

  /// The context at the version that a statement names; the same without one.
  func asOf(_ version: VersionSyntax?) throws -> Context {
    try version.map { past(try store(at: $0)) } ?? self
  }

  /// The store at the version that a query names.
  func store(at version: VersionSyntax) throws -> DynamicStore {
    switch version {
    case .at(let expression):
      let number = try self.version(expression)
      do {
        return shell.interruptible(try self.store.frozen(at: number))
      } catch {
        throw located(error, source, expression.span)
      }
    case .frozen(let name):
      if case .version(let store)? = locals[name.text] ?? shell.variables[name.text] {
        return store
      }
      let resolved = try resolve(
        ExpressionSyntax(
          .path(PathSyntax(start: .variable(name.text), startSpan: name.span, span: name.span)),
          name.span))
      guard let store = resolved.store, store.isFrozen else {
        throw ShellError(.expected("a frozen version", found: "'$\(name.text)'"), source, name.span)
      }
      return store
    }
  }

  /// The version that an expression means: a number, a number of commits back, or a time.
  func version(_ expression: ExpressionSyntax) throws -> Int {
    let store = try self.store
    do {
      switch try resolve(expression) {
      case .value(.int(let number)):
        if number >= 0 { return number }
        guard store.version + number >= 0 else {
          throw HeraldError.noSuchVersion(store.version + number, newest: store.version)
        }
        return store.version + number
      case .value(.string(let text)):
        guard let time = Timestamp(literal: text) else { break }
        return try store.version(at: time)
      case .value(.date(let time)): return try store.version(at: time)
      case .value, .values, .object, .newObject, .collection, .results, .elements, .projection:
        break
      }
    } catch {
      throw located(error, source, expression.span)
    }
    throw ShellError(
      .expected("a version or a time", found: "'\(source.text(expression.span))'"),
      source, expression.span)
  }

  private func count(_ expression: ExpressionSyntax, _ what: String) throws -> Int {
    if case .value(.int(let count)) = try resolve(expression), count >= 0 { return count }
    throw ShellError(
      .expected(what, found: "'\(source.text(expression.span))'"), source,
      expression.span)
  }
}
