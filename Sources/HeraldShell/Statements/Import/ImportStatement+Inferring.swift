import Herald

extension ImportStatement {
  /// Infers the classes that the import of files declares. Returns false if the user does not want them.
  func infer(_ files: [ImportedFile], _ meter: ImportMeter, _ context: Context) throws -> Bool {
    let store = try context.store
    for file in files {
      let name = file.syntax.className
      let isKnown = store.schema.isDeclared(name.text)
      if isKnown, file.syntax.declares {
        throw context.failure(.library(.classExists(name.text)), at: name.span)
      }
      if file.syntax.declares {
        do {
          try store.schema.checkNameIsFree(ofProjectionOrQuery: name.text)
        } catch { throw context.failure(.library(error), at: name.span) }
      }
      let isNew = !isKnown && !files.contains { $0 !== file && $0.declares(name.text) }
      guard isNew else { continue }
      guard file.syntax.declares || mayPropose(file, store, context) else {
        throw unknownClass(name, store, context)
      }
      try placing(at: file, context) {
        let others = files.filter { $0 !== file && $0.syntax.pattern == file.syntax.pattern }
        let alike = file.syntax.pattern == nil ? [] : others
        try file.infer(with: alike, isTaken: { store.schema.isTaken($0) }) { count, progress in
          try context.checkInterruption(file.syntax.path.span)
          meter.note(count, of: file, progress)
        }
      }
      if !file.syntax.declares, try !accepts(file, context) { return false }
    }
    return true
  }

  /// Whether a class that a statement did not call new can be proposed: somebody can accept it, and no class of a
  /// similar name.
  private func mayPropose(_ file: ImportedFile, _ store: DynamicStore, _ context: Context) -> Bool {
    let shell = context.shell
    guard shell.options.isInteractive, shell.options.confirms != nil, shell.filesBeingRead.isEmpty
    else { return false }
    let names = store.schema.classes.filter(\.isDeclared).map(\.name)
    return nearestName(to: file.syntax.className.text, in: names) == nil
  }

  private func accepts(_ file: ImportedFile, _ context: Context) throws -> Bool {
    show([file], context)
    context.shell.output.flush()
    return context.shell.options.confirms?("Declare the class and import? y/N ") ?? false
  }

  /// Shows the classes that an import declares.
  func show(_ files: [ImportedFile], _ context: Context) {
    for file in files {
      for line in changed(in: file, context) where context.shell.mode != .json {
        context.emit(.script("# \(line)"))
      }
    }
    context.emit(.schema(files.flatMap { $0.inferred?.classes ?? [] }, [], []))
  }

  /// Says what a statement cannot be seen to have done: which columns have other names, and that a file was empty.
  func remark(on file: ImportedFile, _ context: Context) {
    if context.shell.mode == .json { return }
    var lines: [String] = []
    if file.syntax.declares {
      for declared in file.inferred?.classes ?? [] {
        for line in LiteralText.text(declared).split(separator: "\n") {
          context.confirm { String(line) }
        }
      }
      lines += changed(in: file, context)
    }
    if file.commentCount > 0 {
      let what = file.commentCount == 1 ? "line 1 is" : "lines 1 to \(file.commentCount) are"
      lines.append("\(file.name): \(what) a comment before the header")
    }
    if file.hasHeaderLikeData {
      lines.append(
        "\(file.name): the first line looks like a record; 'with header no' makes it one")
    }
    if file.isEmpty { lines.append("\(file.name): the file is empty") }
    for line in lines { remark(line, file.syntax.path.span, context) }
  }

  /// Says what a statement cannot be seen to have done.
  func remark(_ line: String, _ span: SourceSpan, _ context: Context) {
    if context.shell.options.isInteractive, context.shell.mode != .json {
      context.confirm { line }
    } else {
      note(line, span, context)
    }
  }

  /// Writes a note to standard error, where it is not mistaken for output.
  private func note(_ text: String, _ span: SourceSpan, _ context: Context) {
    let shell = context.shell
    shell.output.flush()
    let position = context.source.position(of: span.start)
    let line = "\(context.source.name):\(position.line):\(position.column): note: \(text)"
    shell.sink.writeError((shell.sink.showsErrors ? line.visible : line) + "\n")
  }

  /// What is not as the file has it: names, without those that the statement has given, and nil for lists and maps.
  private func changed(in file: ImportedFile, _ context: Context) -> [String] {
    guard let schema = file.inferred else { return [] }
    var lines = schema.columns.compactMap { column -> String? in
      if case .property(_?, _) = file.syntax.columns.use(of: column.name) { return nil }
      if column.name.hasSameBytes(as: column.property) { return nil }
      return "column \"\(column.name.shortenedInside)\" is property '\(column.property)'"
    }
    lines += schema.renamedMembers.map { member in
      "\"\(member.name.shortenedInside)\" in an object is property '\(member.property)' "
        + "of class '\(member.className)'"
    }
    lines += schema.emptied.map { "null in '\($0.name)' is an empty \($0.isMap ? "map" : "list")" }
    let more = lines.count - Self.mostRenamed
    return lines.prefix(Self.mostRenamed).map { "\(file.name): \($0)" }
      + (more > 0 ? ["\(file.name): \(more) more names are others"] : [])
  }

  /// Reports errors in a file's contents at the name of the file.
  func placing(at file: ImportedFile, _ context: Context, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let diagnostic as Diagnostic {
      throw context.failure(diagnostic, at: file.syntax.path.span)
    }
  }

  func unknownClass(_ name: Name, _ store: DynamicStore, _ context: Context) -> ShellError {
    let declared = store.schema.classes.filter(\.isDeclared).map(\.name)
    let nearest = nearestName(to: name.text, in: declared)
    let diagnostic: Diagnostic =
      store.schema.isDeclared(name.text)
      ? .library(.unknownClass(name.text, nearest: nearest))
      : .unknownClassOfImport(name.text, nearest: nearest)
    return context.failure(diagnostic, at: name.span)
  }

  /// The number of names that are shown at most.
  private static let mostRenamed = 50
}

extension ImportedFile {
  fileprivate func declares(_ name: String) -> Bool {
    inferred?.classes.contains { $0.name == name } ?? false
  }
}
