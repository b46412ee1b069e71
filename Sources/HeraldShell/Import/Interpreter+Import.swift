import Herald

extension Interpreter {
  /// Adds the objects of files, in one transaction. Objects may link to others of any of them.
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
        // In a write that goes on, what this statement did is taken back: all or nothing.
        if !isInterruption(error) { added?.takeBack(from: store) }
        throw error
      }
      return read.reduce(0) { $0 + $1.count }
    }
    confirm { "imported \(count) object\(count == 1 ? "" : "s")" }
  }

  /// Puts what is wrong with a file's contents at its name.
  private func placing(
    at file: ImportSyntax, _ context: Context, _ body: () throws -> Void
  ) throws {
    do {
      try body()
    } catch let complaint as Complaint {
      throw ShellError(complaint, context.source, file.path.span)
    }
  }

  private func importFile(
    _ file: ImportSyntax, _ bytes: [UInt8],
    _ known: (numbers: ImportedNumbers, added: AddedObjects?), _ store: Store, _ context: Context
  ) throws -> Importing {
    guard let classSchema = store.schema.classSchema(named: file.className.text) else {
      throw placed(
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

/// What an import has added so far to a write that goes on.
final class AddedObjects {
  private var ids: [ObjectID] = []

  func note(_ object: Object) { ids.append(object.id) }

  func takeBack(from store: Store) {
    for id in ids.reversed() {
      if let object = store.object(id) { try? store.delete(object) }
    }
  }
}

/// One import: records in, objects out; links to objects that come later are set at the end.
struct Importing {
  /// Where in the file something stands: words only when they are asked for.
  struct Place {
    var line: Int
    var record: Int
    var property: String

    var words: String {
      let record = record == 0 ? "" : ", record \(record)"
      return "line \(line)\(record), property '\(property.shortened)'"
    }

    /// The place of a property of the object that stands inside the one here.
    func inside(_ name: String) -> Place {
      Place(line: line, record: record, property: "\(property).\(name)")
    }
  }

  /// A property that names an object which was not there when its record was read.
  struct Waiting {
    var object: Object
    var entry: ImportRecord.Entry
    var property: PropertySchema
    var place: Place
  }

  let file: String
  let store: Store
  let classSchema: ClassSchema
  let schema: Schema
  let numbers: ImportedNumbers
  let added: AddedObjects?
  /// How many objects there were.
  private(set) var count = 0
  private var waiting: [Waiting] = []

  init(
    file: String, store: Store, classSchema: ClassSchema,
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
        _ = try property(name, Place(line: 1, record: 0, property: name), of: classSchema)
      }
      while let record = try reader.next() {
        count += 1
        try add(record, number: count)
        if count % 1_000 == 0 { try progress(count) }
      }
    } catch let failure as JSONReader.Failure {
      throw Complaint.importing(file: file, place: "line \(failure.line)", reason: failure.reason)
    }
  }

  /// Sets what was waiting, now that every object is there. Calls `check` before each.
  func settle(_ check: () throws -> Void) throws {
    for waiting in waiting {
      try check()
      try settle(waiting)
    }
  }

  private mutating func add(_ record: ImportRecord, number: Int) throws {
    var contents: [NamedContent] = []
    contents.reserveCapacity(record.entries.count)
    var late: [(entry: ImportRecord.Entry, property: PropertySchema)] = []
    var key: Int?
    for entry in record.entries {
      let place = place(record, number, entry.name)
      if isNumber(entry.name) {
        key = try objectNumber(entry.content, place)
        continue
      }
      let property = try property(entry.name, place, of: classSchema)
      if let content = try content(entry, property, place) {
        contents.append((entry.name, content))
      } else {
        late.append((entry, property))
      }
    }
    do {
      let object = try store.add(classSchema.name, contents)
      added?.note(object)
      if let key, !numbers.note(object.id, as: key) {
        let place = place(record, number, ExportText.numberName)
        throw Complaint.importing(
          file: file, place: place.words, reason: "another object has the number \(key)")
      }
      for (entry, property) in late {
        waiting.append(
          Waiting(
            object: object, entry: entry, property: property,
            place: place(record, number, entry.name)))
      }
    } catch let error as HeraldError {
      throw Complaint.importing(
        file: file, place: "line \(record.line), record \(number)", reason: error.message)
    }
  }

  /// Whether a name stands for the number of an object without a primary key.
  private func isNumber(_ name: String) -> Bool {
    classSchema.primaryKey == nil && name == ExportText.numberName
  }

  private func objectNumber(_ content: ImportRecord.Content, _ place: Place) throws -> Int {
    let type = PropertyType(.int)
    if case .int(let number)? = ImportValue.plain(content, type) { return number }
    let reason = "the number of an object was expected"
    throw Complaint.importing(file: file, place: place.words, reason: reason)
  }

  private func property(
    _ name: String, _ place: Place, of classSchema: ClassSchema
  ) throws -> PropertySchema {
    if let property = classSchema.property(named: name) { return property }
    let nearest = nearestName(to: name, in: classSchema.properties.map(\.name))
    let error = HeraldError.unknownProperty(
      name.shortened, className: classSchema.name, nearest: nearest)
    throw Complaint.importing(file: file, place: place.words, reason: error.message)
  }

  private func content(
    _ entry: ImportRecord.Entry, _ property: PropertySchema, _ place: Place
  ) throws -> PropertyContent? {
    if let value = ImportValue.plain(entry.content, property.type) { return .value(value) }
    var made: [Object] = []
    let value = ImportValue(
      type: property.type, schema: schema, find: { try numbers.find($0, $1, in: store) },
      make: { target, members in
        guard let object = try make(target, members, place) else { return nil }
        made.append(object)
        return object.id
      })
    do {
      if let content = try value.content(entry.content) { return content }
      // It is read again once every object is there.
      for object in made.reversed() where object.isValid { try store.delete(object) }
      return nil
    } catch let mismatch as ImportValue.Mismatch {
      throw Complaint.importing(file: file, place: place.words, reason: mismatch.reason)
    } catch let error as HeraldError {
      throw Complaint.importing(file: file, place: place.words, reason: error.message)
    }
  }

  /// The object inside another: a part of it, or one that it links to.
  private func make(
    _ target: ClassSchema, _ members: [JSONValue.Member], _ place: Place
  ) throws -> Object? {
    var contents: [NamedContent] = []
    for member in members {
      let place = place.inside(member.name)
      let entry = ImportRecord.Entry(name: member.name, content: .json(member.value))
      let property = try self.property(member.name, place, of: target)
      guard let content = try content(entry, property, place) else { return nil }
      contents.append((member.name, content))
    }
    let object =
      target.isEmbedded
      ? try store.addPart(target.name, contents) : try store.add(target.name, contents)
    added?.note(object)
    return object
  }

  private func settle(_ waiting: Waiting) throws {
    guard let content = try content(waiting.entry, waiting.property, waiting.place) else {
      let target = waiting.property.type.target.flatMap { schema.classSchema($0)?.name }
      throw Complaint.importing(
        file: file, place: waiting.place.words,
        reason: "there is no such object" + (target.map { " of class '\($0)'" } ?? ""))
    }
    try waiting.object.set(waiting.property.name, to: content)
  }

  private func place(_ record: ImportRecord, _ number: Int, _ property: String) -> Place {
    Place(line: record.line, record: number, property: property)
  }
}

extension String {
  /// A name out of a file, which may be anything, for a message: not long, and on one line.
  fileprivate var shortened: String {
    let isLong = unicodeScalars.count > 100
    return String(String(prefix(100)).quoted.dropFirst().dropLast()) + (isLong ? "…" : "")
  }
}
