import Herald

extension Context {
  /// Adds the objects of files in one transaction, whose classes are declared in it where the statement
  /// says so. Objects may link to objects of any of the files.
  func importFiles(_ syntax: [ImportSyntax]) throws {
    let files = try syntax.map { try opened($0) }
    let meter = ImportMeter(shell.options)
    guard try infer(files, meter) else { return confirm { "imported nothing" } }
    if syntax.contains(where: \.isDryRun) { return show(files) }
    let added = try self.store.isInWrite ? AddedObjects() : nil
    let count = try change { store in
      do {
        for file in files {
          for definition in file.inferred?.classes ?? [] {
            try placing(at: file) { try store.declare(definition) }
            added?.note(definition)
          }
        }
        return try importFiles(files, added, meter, store)
      } catch {
        // In a transaction that stays open, this statement is undone: all or nothing.
        if !shell.isInterruption(error) { added?.remove(from: store) }
        throw error
      }
    }
    for file in files { remark(on: file) }
    confirm { "imported \(count) object\(count == 1 ? "" : "s")" }
  }

  /// Returns the number of objects.
  private func importFiles(
    _ files: [ImportedFile], _ added: AddedObjects?, _ meter: ImportMeter, _ store: DynamicStore
  ) throws -> Int {
    let names = files.map(\.syntax.className.text)
    let numbers = ImportedNumbers(
      classes: Set(names.compactMap { store.schema.classSchema(named: $0)?.id }))
    var imports: [Importing] = []
    for file in files {
      try placing(at: file) {
        imports.append(try importFile(file, (numbers, added), meter, store))
      }
    }
    numbers.isComplete = true
    for (importing, file) in zip(imports, files) {
      try placing(at: file) {
        try importing.settle { try checkInterruption(file.syntax.path.span) }
      }
    }
    return imports.reduce(0) { $0 + $1.count }
  }

  private func opened(_ syntax: ImportSyntax) throws -> ImportedFile {
    do {
      return try ImportedFile(syntax) { !shell.interruption.isRequested }
    } catch {
      try checkInterruption(syntax.path.span)
      throw ShellError(
        .cannotRead(path: syntax.path.text, reason: error.reason), source,
        syntax.path.span)
    }
  }

  /// Reports errors in a file's contents at the name of the file.
  func placing(at file: ImportedFile, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let diagnostic as Diagnostic {
      throw ShellError(diagnostic, source, file.syntax.path.span)
    }
  }

  private func importFile(
    _ file: ImportedFile, _ known: (numbers: ImportedNumbers, added: AddedObjects?),
    _ meter: ImportMeter, _ store: DynamicStore
  ) throws -> Importing {
    let name = file.syntax.className
    guard let classSchema = store.schema.classSchema(named: name.text), classSchema.isDeclared
    else {
      throw unknownClass(name, store)
    }
    var importing = Importing(
      file: file.name, store: store,
      ColumnPlan(classSchema, file.columns, isInferred: file.inferred != nil), known)
    var reader = try file.reader(for: classSchema)
    try importing.run(&reader) { count, progress in
      try checkInterruption(file.syntax.path.span)
      meter.note(count, of: file, progress)
    }
    return importing
  }

  func unknownClass(_ name: Name, _ store: DynamicStore) -> ShellError {
    let declared = store.schema.classes.filter(\.isDeclared).map(\.name)
    let nearest = nearestName(to: name.text, in: declared)
    let diagnostic: Diagnostic =
      store.schema.isDeclared(name.text)
      ? .library(.unknownClass(name.text, nearest: nearest))
      : .unknownClassOfImport(name.text, nearest: nearest)
    return ShellError(diagnostic, source, name.span)
  }
}
