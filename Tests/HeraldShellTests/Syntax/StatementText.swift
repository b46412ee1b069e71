import Herald

@testable import HeraldShell

/// Statements as they were understood, in one line: what the tests of the parser compare.
enum StatementText {
  static func text(_ source: String) throws(ShellError) -> String {
    var parser = StatementParser(Source(name: "test", text: source))
    var texts: [String] = []
    while let statement = try parser.next() {
      texts.append(text(statement, Source(name: "test", text: source)))
    }
    return texts.joined(separator: " | ")
  }

  static func text(_ statement: Statement, _ source: Source) -> String {
    text(statement.form, source)
  }

  private static func text(_ form: any StatementForm, _ source: Source) -> String {
    switch form {
    case let form as OpenStatement:
      "open(\(form.path?.text ?? ""))" + (form.isReadOnly ? " read-only" : "")
        + (form.durability == .normal ? " sync=normal" : "")
        + (form.cache.map { " cache \($0.text)" } ?? "")
    case is StatusStatement: "status"
    case is CloseStatement: "close"
    case let form as CheckStatement: "check(\(form.path?.text ?? ""))"
    case let form as BackupStatement:
      "backup(\(form.path.text))" + (form.version.map { " since \(text($0, source))" } ?? "")
    case let form as ConvertStatement: "convert(\(form.target.text))"
    case is ReadersStatement: "readers"
    case is CompactStatement: "compact"
    case let form as DefineStatement:
      "define \(form.name.text) as \(text(form.query, source))\(form.columns.isEmpty ? "" : text(form.columns))"
        + form.clauses.clauses.map { " \($0)" }.joined()
    case let form as SchemaStatement:
      "schema(\(form.name?.text ?? ""))" + (form.version.map { " \($0)" } ?? "")
    case let form as AlterStatement:
      "alter \(form.className.text){"
        + form.changes.map { text($0, source) }.joined(separator: "; ") + "}"
    case let form as DropStatement: "drop \(form.name.text)"
    case let form as ProjectionStatement:
      "projection \(form.name.text) of \(form.className.text){"
        + form.fields.map { "\($0.name.text):\($0.path.text)" }.joined(separator: "; ") + "}"
    case let form as ClassStatement: text(form, source)
    case let form as AddSpooledStatement: "add, \(form.additions.lineCount) lines in a file"
    case let form as AddRepeatedlyStatement:
      "add \(form.shape.className.text) \(form.shape.properties), repeated"
    case let form as AddStatement:
      (form.isUpsert ? "upsert" : "add") + " \(form.className.text)"
        + form.records.map { text($0, source) }.joined() + variable(form.variable)
    case let form as AddNewStatement: "add new \(form.name.text)" + self.variable(form.variable)
    case let form as NewStatement:
      "new \(form.className.text)\(text(form.record, source)) as \(form.variable.text)"
    case let form as AssignStatement:
      "\(text(form.path, source)) \(form.sign) \(text(form.expression, source))"
    case let form as SetStatement: "set \(text(form.query, source))\(text(form.record, source))"
    case let form as DeleteStatement: "delete \(text(form.query, source))"
    case let form as AppendStatement:
      "append \(form.values.map { text($0, source) }) \(text(form.path, source))"
    case let form as InsertStatement:
      "insert \(form.values.map { text($0, source) }) \(text(form.path, source))"
        + (form.index.map { " at \(text($0, source))" } ?? "")
    case let form as RemoveValueStatement:
      "remove \(text(form.value, source)) from \(text(form.path, source))"
    case let form as RemoveStatement: "remove \(text(form.path, source))"
    case let form as MoveStatement: "move \(text(form.path, source)) to \(text(form.index, source))"
    case let form as ClearStatement: "clear \(text(form.path, source))"
    case let form as WriteStatement:
      "write" + (form.isAsync ? " async" : "") + names(" without ", form.options.without)
        + (form.options.message.map { " message \(text($0, source))" } ?? "")
        + " {\(form.statements.map { text($0, source) }.joined(separator: "; "))}"
    case is BeginStatement: "begin"
    case let form as CommitStatement:
      "commit" + names(" without ", form.options.without)
        + (form.options.message.map { " message \(text($0, source))" } ?? "")
    case is RollbackStatement: "rollback"
    case let form as AutocommitStatement: "autocommit \(form.isOn)"
    case is RefreshStatement: "refresh"
    case let form as AutorefreshStatement: "autorefresh \(form.isOn)"
    case let form as LetStatement: "let \(form.name.text) = " + text(form.content, source)
    case let form as LogVersionStatement: "log version \(text(form.version, source))"
    case let form as LogStatement:
      "log(\(form.count.map { text($0, source) } ?? ""), \(form.className?.text ?? ""))"
    case let form as VersionStatement:
      "version" + (form.time.map { " at \(text($0, source))" } ?? "")
    case let form as KeepStatement: "keep log" + (form.amount.map { " \($0.text)" } ?? "")
    case let form as DiffStatement:
      "diff \(text(form.first, source)) \(text(form.second, source)) \(text(form.query, source))"
    case let form as UndoStatement: "undo(\(form.version.map { text($0, source) } ?? ""))"
    case is RedoStatement: "redo"
    case let form as ObserveStatement: "observe " + text(form.syntax, source)
    case let form as WatchStatement: "watch " + text(form.syntax, source)
    case let form as FollowStatement:
      "follow \(text(form.observed, source))"
        + (form.updates.map { " --count \($0)" } ?? "")
        + (form.time.map { " --for \($0)" } ?? "")
    case is TokensStatement: "tokens"
    case let form as EventsStatement: "events(\(form.name?.text ?? ""))"
    case let form as WhyStatement: "why " + form.name.text
    case let form as ExplainStatement:
      form.sections.map { "explain \($0)" } ?? "explain \(text(form.query, source))"
    case let form as OnSessionStatement: "@\(form.name.text) (\(text(form.statement, source)))"
    case is SessionsStatement: "sessions"
    case let form as SessionStatement: "session \(form.name.text)"
    case let form as DetailsStatement: "details \(form.isOn)"
    case let form as InvalidateStatement:
      "invalidate" + (form.names.map { names(" ", $0) } ?? " all")
    case let form as BareStatement: "bare \(text(form.expression, source))"
    case let form as PrintStatement:
      "print \(form.expressions.map { text($0, source) }.joined(separator: ", "))"
    case let form as ModeStatement: "mode \(form.mode)"
    case let form as TimingStatement: "timing \(form.isOn)"
    case is HistoryStatement: "history"
    case is TourStatement: "tour"
    case let form as AliasStatement: "alias \(form.name.text) = \(form.text)"
    case let form as ListAliasesStatement: "alias(\(form.name?.text ?? ""))"
    case let form as RemoveAliasStatement: "unalias \(form.name.text)"
    case let form as EditStatement: "edit(\(form.name?.text ?? ""))"
    case let form as HelpStatement: "help(\(form.word?.text ?? ""))"
    case let form as ExpectStatement: "expect \(text(form.expectation, source))"
    case let form as IfStatement:
      "if \(form.predicate) {\(form.then.map { text($0, source) }.joined(separator: "; "))}"
        + " else {\(form.otherwise.map { text($0, source) }.joined(separator: "; "))}"
    case let form as ReadStatement: "read(\(form.path.text))"
    case let form as ImportStatement:
      form.files.map(text).joined(separator: ", ")
    case let form as DumpStatement:
      "dump" + (form.version.map { " \($0)" } ?? "") + (form.path.map { " to \($0.text)" } ?? "")
    case is QuitStatement: "quit"
    case let form as ForStatement:
      "for \(form.name.text) in \(text(form.elements, source))"
        + " {\(form.block.map { text($0, source) }.joined(separator: "; "))}"
    case let form as ShowStatement:
      switch form.subject {
      case .expression(let value): "show \(text(value, source))"
      case .columns(let query, let columns, let clauses):
        "show \(text(query, source))\(text(columns))" + clauses.map { " \($0)" }.joined()
      case .groups(let group): "show group \(group)"
      case .sections(let sections, let columns, let clauses):
        "show \(sections)\(text(columns))" + clauses.map { " \($0)" }.joined()
      }
    case let form as DescribeStatement: "describe \(text(form.query, source))"
    case let form as HistogramStatement:
      "histogram \(form.syntax.groups)" + (form.syntax.bins.map { " bins \($0)" } ?? "")
    case let form as CountStatement:
      switch form.subject {
      case .expression(let value): "count \(text(value, source))"
      case .groups(let group): "count group \(group)"
      case .sections(let sections): "count \(sections)"
      }
    case let form as ExportStatement:
      "export \(text(form.subject, source)) to \(form.path.text)"
        + (form.format.map { " as \($0)" } ?? "")
    case let form as RedirectedStatement:
      switch form.destination {
      case .program(let command): "\(text(form.statement, source)) | \(command.text)"
      case .file(let path): "\(text(form.statement, source)) > \(path.text)"
      }
    case _: preconditionFailure("there is no text of \(form)")
    }
  }

  private static func text(_ elements: ForStatement.Elements, _ source: Source) -> String {
    switch elements {
    case .expression(let value): text(value, source)
    case .groups(let group): "group \(group)"
    case .sections(let sections): "\(sections)"
    }
  }

  private static func text(_ subject: ExportStatement.Subject, _ source: Source) -> String {
    switch subject {
    case .rows(let query, let columns, let clauses):
      text(query, source) + (columns.isEmpty ? "" : text(columns))
        + clauses.map { " \($0)" }.joined()
    case .groups(let group): "\(group)"
    case .sections(let sections, let clauses):
      "\(sections)" + (clauses.columns.isEmpty ? "" : text(clauses.columns))
        + clauses.clauses.map { " \($0)" }.joined()
    }
  }

  private static func text(_ content: LetStatement.Content, _ source: Source) -> String {
    switch content {
    case .value(let value): text(value, source)
    case .frozen(let value): "freeze \(text(value, source))"
    case .version(let version): "freeze" + (version.map { " at \(text($0, source))" } ?? "")
    case .token(let syntax): "observe \(text(syntax, source))"
    }
  }

  private static func text(_ file: ImportSyntax) -> String {
    "import(\(file.path.text)) \(file.declares ? "as new" : "into") \(file.className.text)"
      + (file.updates ? " upsert" : "") + (file.isLive ? " live" : "")
      + text(file.form) + text(file.columns) + (file.isDryRun ? " dry run" : "")
  }

  private static func text(_ form: ImportForm) -> String {
    func sign(_ byte: UInt8) -> String { "\(Unicode.Scalar(byte))".quoted }
    return (form.delimiter.map { " delimiter \(sign($0))" } ?? "")
      + (form.dialect.quote.map { $0 == Byte.doubleQuote ? "" : " quote \(sign($0))" }
        ?? " quote none")
      + (form.hasHeader ? "" : " header no") + (form.encoding.map { " encoding \($0)" } ?? "")
      + (form.log.map { " form \($0)" } ?? "")
      + (form.skippedLines > 0 ? " skip \(form.skippedLines)" : "")
      + (form.dialect.comment.isEmpty ? "" : " comment \(text(form.dialect.comment))")
      + (form.dialect.escape.map { " escape \(sign($0))" } ?? "")
      + (form.dialect.allowsShortRecords ? " short rows" : "") + text(form.dialect.notation)
  }

  private static func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self).quoted
  }

  private static func text(_ notation: FieldNotation) -> String {
    let missing = notation.missing.map(text).joined(separator: ", ")
    let dates = notation.dates.map(\.text.quoted).joined(separator: ", ")
    return (missing.isEmpty ? "" : " nil \(missing)")
      + (notation.decimal.map { " decimal \(text([$0]))" } ?? "")
      + (notation.thousands.map { " thousands \(text($0))" } ?? "")
      + (dates.isEmpty ? "" : " dates \(dates)")
  }

  private static func text(_ columns: ColumnChoice) -> String {
    let entries = columns.entries.map { entry in
      switch entry.use {
      case .skip: "\(entry.column): skip"
      case .property(let name, let isText):
        "\(entry.column): \(name ?? "")\(isText ? " text" : "")\(entry.isOrNil ? " or nil" : "")"
      }
    }
    return entries.isEmpty && !columns.skipsOthers
      ? "" : " {\((entries + (columns.skipsOthers ? ["*: skip"] : [])).joined(separator: ", "))}"
  }

  private static func names(_ word: String, _ names: [Name]) -> String {
    names.isEmpty ? "" : word + names.map(\.text).joined(separator: ",")
  }

  private static func text(_ columns: [ColumnSyntax]) -> String {
    "{\(columns.map { "\($0.name.text): \($0.expression)" }.joined(separator: ", "))}"
  }

  private static func variable(_ name: Name?) -> String { name.map { " as \($0.text)" } ?? "" }

  static func text(_ expression: ExpressionSyntax, _ source: Source) -> String {
    switch expression.kind {
    case .literal(let value): LiteralText.text(value)
    case .list(let elements):
      "[" + elements.map { text($0, source) }.joined(separator: ",") + "]"
    case .record(let record): text(record, source)
    case .path(let path) where path.isTarget: text(path, source)
    case .query(let query): "<\(text(query, source))>"
    case .generated(let generated): generated.text
    case .projection(let name, let query): "\(name.text) of \(text(query, source))"
    case .path, .arithmetic, .subquery, .call, .fallback, .duration: "`\(expression)`"
    case .test(let predicate): "`\(predicate)`"
    }
  }

  static func text(_ record: RecordSyntax, _ source: Source) -> String {
    "{"
      + record.entries.map { "\($0.name.text):\(text($0.value, source))" }.joined(separator: ",")
      + "}"
  }

  static func text(_ query: QuerySyntax, _ source: Source) -> String {
    let origin =
      switch query.origin {
      case .className(let name): name.text
      case .path(let path): text(path, source)
      }
    return origin + (query.tail.map { " \($0)" } ?? "")
  }

  static func text(_ path: PathSyntax, _ source: Source) -> String {
    let base =
      switch path.start {
      case .root: ""
      case .variable(let name): "$\(name)"
      case .object(let className, let key): "\(className)#\(key)"
      case .query(let query): "(\(text(query, source)))"
      }
    return path.steps.reduce(base) { text, step in
      switch step.targetStep {
      case .property(let name): "\(text).\(name.text)"
      case .subscript(let index): "\(text)[\(self.text(index, source))]"
      }
    }
  }

  private static func text(_ syntax: ClassStatement, _ source: Source) -> String {
    let properties = syntax.properties.map { text($0, source) }
    return (syntax.isEmbedded ? "embedded " : "")
      + "class \(syntax.name.text){\(properties.joined(separator: "; "))}"
      + (syntax.retention.map { " keep \($0)" } ?? "")
  }

  private static func text(_ property: PropertySyntax, _ source: Source) -> String {
    "\(property.name.text):\(property.shape == .single ? "" : "\(property.shape) ")\(property.element)"
      + (property.isOptional ? "?" : "") + (property.isPrimaryKey ? " primary" : "")
      + (property.isIndexed ? " indexed" : "")
      + (property.defaultValue.map { "=\(text($0, source))" } ?? "")
  }

  private static func text(_ change: AlterStatement.Change, _ source: Source) -> String {
    switch change {
    case .add(let property): "add \(text(property, source))"
    case .drop(let name): "drop \(name.text)"
    case .rename(let name, let newName): "rename \(name.text) to \(newName.text)"
    case .change(let property): text(property, source)
    case .link(let column):
      "link \(column.name.text) to \(column.target.text) as \(column.newName.text)"
        + (column.isOrNil ? " or nil" : "")
    case .keep(let retention): "keep \(retention?.description ?? "all")"
    }
  }

  private static func text(_ syntax: ObserveSyntax, _ source: Source) -> String {
    var text = ""
    switch syntax.target {
    case .store: text += "store"
    case .query(let query): text += self.text(query, source)
    case .groups(let group): text += "group \(group)"
    case .histogram(let histogram):
      text +=
        "histogram \(histogram.groups)"
        + (histogram.bins.map { " bins \(self.text($0, source))" } ?? "")
    case .sections(let sections): text += "\(sections)"
    case .value(let expression, when: let condition):
      text += "value \(self.text(expression, source))"
      if let condition { text += " when \(condition)" }
    case .property(let path): text += "property \(self.text(path, source))"
    case .projection(let name, let query):
      text += "\(name.text) of \(self.text(query, source))"
    }
    if let name = syntax.name { text += " as \(name.text)" }
    switch syntax.keyPaths {
    case .unrestricted: break
    case .none: text += " keypaths none"
    case .paths(let paths): text += names(" keypaths ", paths)
    }
    if let depth = syntax.depth { text += " depth \(depth)" }
    if syntax.isExclusive { text += " exclusive" }
    if let actor = syntax.actor { text += " on \(actor.text)" }
    if let block = syntax.block {
      text += " do {\(block.map { self.text($0, source) }.joined(separator: "; "))}"
    }
    if let program = syntax.program {
      text += " do run \(program.words.map(\.text).joined(separator: "|"))"
      if let cursor = program.cursor { text += " --after-file \(cursor.text)" }
    }
    return text
  }

  private static func text(_ expectation: ExpectStatement.Expectation, _ source: Source) -> String {
    switch expectation {
    case .event(let token, let event): "\(token.text): \(event.text)"
    case .nothing: "nothing"
    case .predicate(let predicate): "\(predicate)"
    case .error(let message, let block, depth: _): "error \(message.quoted) {\(source.text(block))}"
    }
  }
}
