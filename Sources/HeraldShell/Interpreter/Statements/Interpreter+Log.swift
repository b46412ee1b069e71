import Herald

/// The log of commits: `log`, `keep log`, `undo`, and versions of the past.
extension Interpreter {
  /// `log 20 Dog`: the last commits, newest first.
  func listLog(_ count: ExpressionSyntax?, of className: Name?, _ context: Context) throws {
    let limit = try count.map { try self.count($0, "a number of commits", context) } ?? 10
    let commits: [CommitSummary]
    do {
      commits = try store(context).log(limit, of: className?.text)
    } catch {
      guard let span = className?.span ?? count?.span else { throw error }
      throw located(error, context.source, span)
    }
    if mode == .json {
      return emit(.values([.list(commits.map { OutputValue.map(CommitText.fields($0)) })]))
    }
    try show(commits.count, context) { .row(CommitText.columns(commits[$0])) }
  }

  /// `log version 42`: one commit with its changes.
  func showCommit(_ version: ExpressionSyntax, _ context: Context) throws {
    let store = try store(context)
    let number = try self.version(version, context)
    do {
      try emit(store.commit(number), context)
    } catch {
      throw located(error, context.source, version.span)
    }
  }

  /// Emits a commit as the line of a feed, or in words.
  func emit(_ commit: CommitVersions, _ context: Context) throws {
    let changes = try commit.changes.map { try output($0, of: commit, context.session) }
    let fields =
      CommitText.fields(commit.summary).filter { $0.name != "classes" }
      + [OutputValue.Field(name: "changes", value: .list(changes.map { .map($0.fields) }))]
    emit(
      .report(
        [CommitText.title(commit.summary)] + changes.map { "  " + $0.text }, .map(fields)))
  }

  /// One object's change, for output.
  private func output(
    _ change: CommitVersions.ObjectChange, of commit: CommitVersions, _ session: ShellSession
  ) throws -> CommitText.Change {
    let isInserted = if case .inserted = change.change { true } else { false }
    let home = if case .deleted = change.change { commit.before } else { commit.after }
    let before = self.session(session, for: commit.before)
    let after = self.session(session, for: commit.after)
    let label = home.label(of: change.object)
    switch change.change {
    case .inserted, .deleted:
      let fields = try contents(
        change.classSchema.properties.filter { !$0.type.isBacklinks }, of: change.object,
        isInserted ? after : before)
      return CommitText.Change(label, isInserted ? .inserted(fields) : .deleted(fields))
    case .modified(let properties):
      let (old, new) = (
        try contents(properties, of: change.object, before),
        try contents(properties, of: change.object, after)
      )
      return CommitText.Change(
        label,
        .modified(
          zip(old, new).map { old, new in
            CommitText.Modification(name: new.name, old: old.value, new: new.value)
          }))
    }
  }

  /// The values of properties, as `show` has them; a property that the version lacks is nil.
  private func contents(
    _ properties: [PropertySchema], of id: ObjectID, _ session: ShellSession
  ) throws -> [OutputValue.Field] {
    let object = session.store?.object(id)
    let fields = try object.map { try self.fields($0, session) } ?? []
    let classSchema = try object?.classSchema
    return properties.map { property in
      let index = classSchema?.order(of: property.id)
      return OutputValue.Field(
        name: property.name, value: index.map { fields[$0].value } ?? .plain(.null))
    }
  }

  /// `version`: the number of the last commit.
  func showVersion(_ context: Context) throws {
    emit(.values([.plain(.int(try store(context).version))]))
  }

  /// `keep log 7d`
  func keepLog(_ amount: Name, _ context: Context) throws {
    guard let retention = LogRetention(amount.text) else {
      throw ShellError(
        .expected("'7d', '1GB', '10000' or 'all'", found: "'\(amount.text)'"), context.source,
        amount.span)
    }
    try store(context).keepLog(retention)
    confirm { "keeping \(amount.text) of the log" }
  }

  func undo(_ version: ExpressionSyntax?, _ context: Context) throws {
    let store = try store(context)
    let number = try version.map { try self.version($0, context) }
    let undone = try naming(context.session) { try store.undo(number) }
    confirm { "undid version \(undone)" }
  }

  func redo(_ context: Context) throws {
    let store = try store(context)
    let undo = try naming(context.session) { try store.redo() }
    confirm { "took back version \(undo)" }
  }

  // MARK: Versions

  /// The store at the version that a query names.
  func store(at version: VersionSyntax, _ context: Context) throws -> DynamicStore {
    switch version {
    case .at(let expression):
      let number = try self.version(expression, context)
      do {
        return interruptible(try store(context).frozen(at: number))
      } catch {
        throw located(error, context.source, expression.span)
      }
    case .frozen(let name):
      if case .version(let store)? = context.locals[name.text] ?? variables[name.text] {
        return store
      }
      let resolved = try resolve(
        ExpressionSyntax(
          .path(PathSyntax(start: .variable(name.text), startSpan: name.span, span: name.span)),
          name.span), context)
      guard let store = resolved.store, store.isFrozen else {
        throw ShellError(
          .expected("a frozen version", found: "'$\(name.text)'"), context.source, name.span)
      }
      return store
    }
  }

  /// The version that an expression means: a number, a number of commits back, or a time.
  func version(_ expression: ExpressionSyntax, _ context: Context) throws -> Int {
    let store = try store(context)
    do {
      switch try resolve(expression, context) {
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
      throw located(error, context.source, expression.span)
    }
    throw ShellError(
      .expected("a version or a time", found: "'\(context.source.text(expression.span))'"),
      context.source, expression.span)
  }

  /// `let $f = freeze at 41`, `let $f = freeze`.
  func frozenVersion(_ version: ExpressionSyntax?, _ context: Context) throws -> Variable {
    guard let version else {
      return .version(try store(context).frozen(at: store(context).version))
    }
    return .version(try store(at: .at(version), context))
  }

  /// `diff 41 44 Dog sort(name)`: what changed from one version to another, as an update event has it.
  func showDifference(
    _ first: ExpressionSyntax, _ second: ExpressionSyntax, _ query: QuerySyntax, _ context: Context
  ) throws {
    let store = try store(context)
    let (old, new) = (try version(first, context), try version(second, context))
    guard old <= new else {
      throw ShellError(
        .expected("a version from \(old) on", found: "\(new)"), context.source, second.span)
    }
    let later = context.past(try self.store(at: .at(second), context))
    let earlier = context.past(try self.store(at: .at(first), context))
    guard case .results(let after) = try resolve(query, later),
      case .results(let before) = try resolve(query, earlier)
    else {
      throw ShellError(
        .notACollection(context.source.text(query.span), found: "a value"), context.source,
        query.span)
    }
    let changes = try store.difference(from: before, to: after)
    emit(
      .report(
        EventText.lines(.update(changes, ownerDeleted: false)), CommitText.value(changes)))
  }

  private func count(
    _ expression: ExpressionSyntax, _ what: String, _ context: Context
  ) throws -> Int {
    if case .value(.int(let count)) = try resolve(expression, context), count >= 0 { return count }
    throw ShellError(
      .expected(what, found: "'\(context.source.text(expression.span))'"), context.source,
      expression.span)
  }
}
