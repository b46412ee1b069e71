import Herald

extension Interpreter {
  /// Adds the objects of files in one transaction. Objects may link to objects of any of the files.
  func importFiles(_ files: [ImportSyntax], _ context: Context) throws {
    let contents = try files.map { file in
      do {
        return try File.read(file.path.text) { !interruption.isRequested }
      } catch let failure as File.Failure {
        try checkInterruption(context, file.path.span)
        throw ShellError(
          .cannotRead(path: file.path.text, reason: failure.reason), context.source, file.path.span)
      }
    }
    let added = try store(context).isInWrite ? AddedObjects() : nil
    let count = try change(context) { store in
      let numbers = ImportedNumbers(
        classes: Set(files.compactMap { store.schema.classSchema(named: $0.className.text)?.id }))
      var read: [Importing] = []
      do {
        for (file, bytes) in zip(files, contents) {
          try placing(at: file, context) {
            read.append(try importFile(file, bytes, (numbers, added), store, context))
          }
        }
        numbers.isComplete = true
        for (importing, file) in zip(read, files) {
          try placing(at: file, context) {
            try importing.settle { try checkInterruption(context, file.path.span) }
          }
        }
      } catch {
        // In a transaction that stays open, this statement is undone: all or nothing.
        if !isInterruption(error) { added?.remove(from: store) }
        throw error
      }
      return read.reduce(0) { $0 + $1.count }
    }
    confirm { "imported \(count) object\(count == 1 ? "" : "s")" }
  }

  /// Reports errors in a file's contents at the name of the file.
  private func placing(
    at file: ImportSyntax, _ context: Context, _ body: () throws -> Void
  ) throws {
    do {
      try body()
    } catch let diagnostic as Diagnostic {
      throw ShellError(diagnostic, context.source, file.path.span)
    }
  }

  private func importFile(
    _ file: ImportSyntax, _ bytes: [UInt8],
    _ known: (numbers: ImportedNumbers, added: AddedObjects?), _ store: DynamicStore,
    _ context: Context
  ) throws -> Importing {
    guard let classSchema = store.schema.classSchema(named: file.className.text) else {
      throw located(
        HeraldError.unknownClass(
          file.className.text,
          nearest: nearestName(to: file.className.text, in: store.schema.classes.map(\.name))),
        context.source, file.className.span)
    }
    var importing = Importing(
      file: file.path.text, store: store, classSchema: classSchema, known)
    try importing.run(bytes) { count in
      try checkInterruption(context, file.path.span)
      options.progress?(file.path.text, .records(count))
    }
    options.progress?(file.path.text, .records(importing.count))
    return importing
  }
}

/// The objects that an import has added so far to an open transaction.
final class AddedObjects {
  private var ids: [ObjectID] = []

  func note(_ object: DynamicObject) { ids.append(object.id) }

  func remove(from store: DynamicStore) {
    for id in ids.reversed() {
      if let object = store.object(id) { try? store.delete(object) }
    }
  }
}

/// The import of one file: adds an object for each record; links to later objects are set at the end.
struct Importing {
  /// A position in the file; its description is made only when it is needed.
  struct Position {
    var line: Int
    var record: Int
    var property: String

    var text: String {
      let record = record == 0 ? "" : ", record \(record)"
      return "line \(line)\(record), property '\(property.shortened)'"
    }

    /// The position of a property of the nested object at this position.
    func inside(_ name: String) -> Position {
      Position(line: line, record: record, property: "\(property).\(name)")
    }
  }

  /// A property that links to an object that did not exist when its record was read.
  struct Deferred {
    var object: DynamicObject
    var entry: ImportRecord.Entry
    var property: PropertySchema
    var position: Position
  }

  let file: String
  let store: DynamicStore
  let classSchema: ClassSchema
  let schema: Schema
  let numbers: ImportedNumbers
  let added: AddedObjects?
  /// The number of objects.
  private(set) var count = 0
  private var deferred: [Deferred] = []

  init(
    file: String, store: DynamicStore, classSchema: ClassSchema,
    _ known: (numbers: ImportedNumbers, added: AddedObjects?)
  ) {
    self.file = file
    self.store = store
    self.classSchema = classSchema
    (numbers, added) = known
    schema = store.schema
  }

  /// Calls `progress` every 1,000 records.
  mutating func run(_ bytes: [UInt8], _ progress: (Int) throws -> Void) throws {
    do {
      var reader = try ImportReader(bytes)
      for name in reader.columns where !isNumber(name) {
        _ = try property(name, Position(line: 1, record: 0, property: name), of: classSchema)
      }
      while let record = try reader.next() {
        count += 1
        try add(record, number: count)
        if count % 1_000 == 0 { try progress(count) }
      }
    } catch let failure as JSONReader.Failure {
      throw Diagnostic.importing(
        file: file, position: "line \(failure.line)", reason: failure.reason)
    }
  }

  /// Sets the deferred properties, now that every object exists. Calls `check` before each.
  func settle(_ check: () throws -> Void) throws {
    for entry in deferred {
      try check()
      try settle(entry)
    }
  }

  private mutating func add(_ record: ImportRecord, number: Int) throws {
    var contents: [NamedContent] = []
    contents.reserveCapacity(record.entries.count)
    var deferredEntries: [(entry: ImportRecord.Entry, property: PropertySchema)] = []
    var key: Int?
    for entry in record.entries {
      let position = position(record, number, entry.name)
      if isNumber(entry.name) {
        key = try objectNumber(entry.content, position)
        continue
      }
      let property = try property(entry.name, position, of: classSchema)
      if let content = try content(entry, property, position) {
        contents.append((entry.name, content))
      } else {
        deferredEntries.append((entry, property))
      }
    }
    do {
      let object = try store.add(classSchema.name, contents)
      added?.note(object)
      if let key, !numbers.note(object.id, as: key) {
        let position = position(record, number, ExportText.numberName)
        throw Diagnostic.importing(
          file: file, position: position.text, reason: "another object has the number \(key)")
      }
      for (entry, property) in deferredEntries {
        deferred.append(
          Deferred(
            object: object, entry: entry, property: property,
            position: position(record, number, entry.name)))
      }
    } catch let error as HeraldError {
      throw Diagnostic.importing(
        file: file, position: "line \(record.line), record \(number)", reason: error.message)
    }
  }

  /// Whether a name is that of the number of an object without a primary key.
  private func isNumber(_ name: String) -> Bool {
    classSchema.primaryKey == nil && name == ExportText.numberName
  }

  private func objectNumber(_ content: ImportRecord.Content, _ position: Position) throws -> Int {
    let type = PropertyType(.int)
    if case .int(let number)? = ImportValue.plain(content, type) { return number }
    let reason = "expected the number of an object"
    throw Diagnostic.importing(file: file, position: position.text, reason: reason)
  }

  private func property(
    _ name: String, _ position: Position, of classSchema: ClassSchema
  ) throws -> PropertySchema {
    if let property = classSchema.property(named: name) { return property }
    let nearest = nearestName(to: name, in: classSchema.properties.map(\.name))
    let error = HeraldError.unknownProperty(
      name.shortened, className: classSchema.name, nearest: nearest)
    throw Diagnostic.importing(file: file, position: position.text, reason: error.message)
  }

  private func content(
    _ entry: ImportRecord.Entry, _ property: PropertySchema, _ position: Position
  ) throws -> PropertyContent? {
    if let value = ImportValue.plain(entry.content, property.type) { return .value(value) }
    var made: [DynamicObject] = []
    let value = ImportValue(
      type: property.type, schema: schema, find: { try numbers.find($0, $1, in: store) },
      make: { target, members in
        guard let object = try make(target, members, position) else { return nil }
        made.append(object)
        return object.id
      })
    do {
      if let content = try value.content(entry.content) { return content }
      // The entry is read again once every object exists.
      for object in made.reversed() where object.isValid { try store.delete(object) }
      return nil
    } catch let mismatch as ImportValue.Mismatch {
      throw Diagnostic.importing(file: file, position: position.text, reason: mismatch.reason)
    } catch let error as HeraldError {
      throw Diagnostic.importing(file: file, position: position.text, reason: error.message)
    }
  }

  /// Creates a nested object: an embedded one, or one that is linked to.
  private func make(
    _ target: ClassSchema, _ members: [JSONValue.Member], _ position: Position
  ) throws -> DynamicObject? {
    var contents: [NamedContent] = []
    for member in members {
      let position = position.inside(member.name)
      let entry = ImportRecord.Entry(name: member.name, content: .json(member.value))
      let property = try self.property(member.name, position, of: target)
      guard let content = try content(entry, property, position) else { return nil }
      contents.append((member.name, content))
    }
    let object =
      target.isEmbedded
      ? try store.addEmbeddedObject(target.name, contents) : try store.add(target.name, contents)
    added?.note(object)
    return object
  }

  private func settle(_ entry: Deferred) throws {
    guard let content = try content(entry.entry, entry.property, entry.position) else {
      let target = entry.property.type.target.flatMap { schema.classSchema($0)?.name }
      throw Diagnostic.importing(
        file: file, position: entry.position.text,
        reason: "no such object" + (target.map { " of class '\($0)'" } ?? ""))
    }
    try entry.object.set(entry.property.name, to: content)
  }

  private func position(_ record: ImportRecord, _ number: Int, _ property: String) -> Position {
    Position(line: record.line, record: number, property: property)
  }
}

extension String {
  /// A name from a file, which may be anything, shortened to one line for a message.
  fileprivate var shortened: String {
    let isLong = unicodeScalars.count > 100
    return String(String(prefix(100)).quoted.dropFirst().dropLast()) + (isLong ? "…" : "")
  }
}
