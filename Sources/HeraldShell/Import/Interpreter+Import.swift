import Herald

extension Interpreter {
  /// Adds the objects of a file, in one transaction.
  func importFile(_ path: Name, into className: Name, _ context: Context) throws {
    let bytes: [UInt8]
    do {
      bytes = try File.read(path.text)
    } catch {
      throw ShellError(
        .cannotRead(path: path.text, reason: error.reason), context.source, path.span)
    }
    let count = try change(context) { store in
      guard let classSchema = store.schema.classSchema(named: className.text) else {
        // The library's own complaint, with its suggestion.
        _ = try at(className.span, context) { try store.objects(className.text) }
        return 0
      }
      var importing = Importing(
        file: path.text, store: store, classSchema: classSchema, schema: store.schema)
      return try importing.run(bytes) { count in
        try checkInterruption(context, path.span)
        options.importProgress?(path.text, count)
      }
    }
    options.importProgress?(path.text, count)
    confirm { "imported \(count) object\(count == 1 ? "" : "s")" }
  }
}

/// One import: records in, objects out; links to objects of the same file are set at the end.
private struct Importing {
  /// Where in the file something stands: words only when they are asked for.
  struct Place {
    var line: Int
    var record: Int
    var property: String

    var words: String { "line \(line), record \(record), property '\(property)'" }
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
  private var waiting: [Waiting] = []

  init(file: String, store: Store, classSchema: ClassSchema, schema: Schema) {
    self.file = file
    self.store = store
    self.classSchema = classSchema
    self.schema = schema
  }

  /// Calls `progress` every 1,000 records. Answers how many objects there were.
  mutating func run(_ bytes: [UInt8], _ progress: (Int) throws -> Void) throws -> Int {
    var count = 0
    do {
      var reader = try ImportReader(bytes)
      while let record = try reader.next() {
        count += 1
        try add(record, number: count)
        if count % 1_000 == 0 { try progress(count) }
      }
    } catch let failure as JSONReader.Failure {
      throw Complaint.importing(file: file, place: "line \(failure.line)", reason: failure.reason)
    }
    for waiting in waiting { try settle(waiting) }
    return count
  }

  private mutating func add(_ record: ImportRecord, number: Int) throws {
    var contents: [NamedContent] = []
    contents.reserveCapacity(record.entries.count)
    var late: [(entry: ImportRecord.Entry, property: PropertySchema)] = []
    for entry in record.entries {
      let place = place(record, number, entry.name)
      let property = try property(entry.name, place, of: classSchema)
      if let content = try content(entry, property, place) {
        contents.append((entry.name, content))
      } else {
        late.append((entry, property))
      }
    }
    do {
      let object = try store.add(classSchema.name, contents)
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

  private func property(
    _ name: String, _ place: Place, of classSchema: ClassSchema
  ) throws -> PropertySchema {
    if let property = classSchema.property(named: name) { return property }
    let nearest = nearestName(to: name, in: classSchema.properties.map(\.name))
    let error = HeraldError.unknownProperty(name, className: classSchema.name, nearest: nearest)
    throw Complaint.importing(file: file, place: place.words, reason: error.message)
  }

  private func content(
    _ entry: ImportRecord.Entry, _ property: PropertySchema, _ place: Place
  ) throws -> PropertyContent? {
    if let value = ImportValue.plain(entry.content, property.type) { return .value(value) }
    var made: [Object] = []
    let value = ImportValue(
      type: property.type, schema: schema, find: { try store.object($0.name, key: $1)?.id },
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
      let entry = ImportRecord.Entry(name: member.name, content: .json(member.value))
      let property = try self.property(member.name, place, of: target)
      guard let content = try content(entry, property, place) else { return nil }
      contents.append((member.name, content))
    }
    return target.isEmbedded
      ? try store.addPart(target.name, contents) : try store.add(target.name, contents)
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
