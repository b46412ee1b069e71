import Herald

/// The objects and classes that an import has added so far to an open transaction.
final class AddedObjects {
  /// Objects with consecutive numbers, in the order in which they were added.
  private var runs: [(classID: ClassID, numbers: ClosedRange<ObjectNumber>)] = []
  private var classes: [String] = []
  /// What the import replaced in objects that were there, in this order.
  private var replaced: [(object: ObjectHandle, contents: [NamedContent])] = []

  func note(_ object: ObjectHandle) {
    note(object.id.classID, object.id.number..<object.id.number + 1)
  }

  func note(_ classID: ClassID, _ numbers: Range<ObjectNumber>) {
    guard !numbers.isEmpty else { return }
    if let last = runs.last, last.classID == classID,
      last.numbers.upperBound + 1 == numbers.lowerBound
    {
      runs[runs.count - 1].numbers = last.numbers.lowerBound...numbers.upperBound - 1
    } else {
      runs.append((classID, numbers.lowerBound...numbers.upperBound - 1))
    }
  }

  func note(_ definition: ClassDefinition) { classes.append(definition.name) }

  func note(_ contents: [NamedContent], replacedIn object: ObjectHandle) {
    if !contents.isEmpty { replaced.append((object, contents)) }
  }

  func remove(from store: DynamicStore) {
    for (object, contents) in replaced.reversed() { try? object.set(contents) }
    for run in runs.reversed() {
      for number in run.numbers.reversed() {
        if let object = store.object(ObjectID(run.classID, number)) { try? store.delete(object) }
      }
    }
    for name in classes.reversed() { try? store.drop(name) }
  }
}

/// The import of one file: adds an object for each record; links to later objects are set at the end.
struct Importing {
  /// The number of records from one report of progress to the next, which may interrupt the import.
  static let recordsBetween = 1_000

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

  /// The content of one object.
  struct Row {
    let line: Int
    let number: Int
    var contents: [NamedContent] = []
    var deferred: [(entry: ImportRecord.Entry, property: PropertySchema)] = []
    /// Its number in the file.
    var key: Int?

    init(line: Int, number: Int) {
      self.line = line
      self.number = number
    }

    func position(_ column: String) -> Position {
      Position(line: line, record: number, property: column)
    }
  }

  /// A property that links to an object that did not exist when its record was read.
  struct Deferred {
    var object: ObjectHandle
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
  var plan: ColumnPlan
  /// Whether objects that are there are changed: `upsert`.
  let updates: Bool
  /// The number of records.
  var count = 0
  private(set) var counts = ImportCounts()
  private var deferred: [Deferred] = []

  init(
    file: String, store: DynamicStore, _ plan: ColumnPlan, updates: Bool,
    _ known: (numbers: ImportedNumbers, added: AddedObjects?)
  ) {
    self.file = file
    self.store = store
    self.plan = plan
    self.updates = updates
    classSchema = plan.classSchema
    (numbers, added) = known
    schema = store.schema
  }

  /// Calls `progress` every 1,000 records, with their number and the part of the file that has been read.
  mutating func run(_ reader: inout ImportReader, _ progress: (Int, Double) throws -> Void) throws {
    try checkLinks()
    do {
      if let csv = reader.csv {
        try run(csv, reader.columns, progress)
      } else {
        try runRecords(&reader, progress)
      }
    } catch let failure as JSONReader.Failure {
      throw Diagnostic.importing(
        file: file, position: "line \(failure.line)", reason: failure.reason)
    }
  }

  /// Sets the deferred properties, now that every object exists. Calls `check` before each.
  mutating func settle(_ check: () throws -> Void) throws {
    for entry in deferred {
      try check()
      try settle(entry)
    }
  }

  /// Adds the object of a record of JSON or of a log.
  mutating func add(_ record: ImportRecord, number: Int, _ reader: inout ImportReader) throws {
    var row = Row(line: record.line, number: number)
    row.contents.reserveCapacity(record.entries.count)
    if number == 1 { plan.learn(record.entries.map(\.name)) }
    var unknown: [String] = []
    for entry in record.entries {
      switch plan.target(of: entry.name) {
      case .property(let property, let isText):
        var entry = entry
        if isText { entry.content = entry.content.asText }
        try take(entry, property, &row)
      case .number: row.key = try objectNumber(entry.content, row.position(entry.name))
      case .skipped: break
      case .unknown(let name): unknown.append(name)
      case .unclear(let reason):
        throw Diagnostic.importing(
          file: file, position: row.position(entry.name).text, reason: reason)
      }
    }
    guard unknown.isEmpty else { throw try unknownColumns(unknown, in: row, &reader) }
    try add(row)
  }

  /// Takes the content of a property for a row.
  func take(_ entry: ImportRecord.Entry, _ property: PropertySchema, _ row: inout Row) throws {
    if let content = try content(entry, property, row.position(entry.name)) {
      row.contents.append((property.name, content))
    } else {
      row.deferred.append((entry, property))
    }
  }

  mutating func add(_ row: Row) throws {
    do {
      let object = try add(row.contents)
      if let key = row.key, !numbers.note(object.id, as: key) {
        throw Diagnostic.importing(
          file: file, position: row.position(ExportText.numberName).text,
          reason: "another object has the number \(key)")
      }
      for (entry, property) in row.deferred {
        deferred.append(
          Deferred(
            object: object, entry: entry, property: property, position: row.position(entry.name)))
      }
    } catch let error as HeraldError {
      throw failure(error.message, at: (row.line, row.number))
    } catch let mismatch as ImportValue.Mismatch {
      throw failure(mismatch.reason, at: (row.line, row.number))
    }
  }

  /// What is wrong with a record.
  func failure(_ reason: String, at position: (line: Int, record: Int)) -> Diagnostic {
    .importing(
      file: file, position: "line \(position.line), record \(position.record)", reason: reason)
  }

  /// Adds an object, or changes the one with the same primary key.
  mutating func add(_ contents: [NamedContent]) throws -> ObjectHandle {
    guard updates else {
      let object = try store.add(classSchema.name, contents)
      added?.note(object)
      return object
    }
    guard let key = classSchema.primaryKey else {
      throw HeraldError.noPrimaryKey(className: classSchema.name)
    }
    guard contents.contains(where: { $0.name == key.name }) else {
      throw ImportValue.Mismatch(
        reason: "upsert finds objects by '\(key.name)', which is missing here")
    }
    let (object, replaced) = try store.addOrUpdate(classSchema.name, contents)
    guard let replaced else {
      added?.note(object)
      counts.note(.added, object.id)
      return object
    }
    added?.note(replaced, replacedIn: object)
    counts.note(replaced.isEmpty ? .unchanged : .changed, object.id)
    return object
  }

  func objectNumber(_ content: ImportRecord.Content, _ position: Position) throws -> Int {
    let type = PropertyType(.int)
    if case .int(let number)? = ImportValue.plain(content, type) { return number }
    let reason = "expected the number of an object"
    throw Diagnostic.importing(file: file, position: position.text, reason: reason)
  }

  private func content(
    _ entry: ImportRecord.Entry, _ property: PropertySchema, _ position: Position
  ) throws -> PropertyContent? {
    if let value = ImportValue.plain(entry.content, property.type) { return .value(value) }
    var made: [ObjectHandle] = []
    let value = ImportValue(
      type: property.type, schema: schema, isLenient: plan.isInferred,
      find: { try numbers.find($0, $1, in: store) },
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
  ) throws -> ObjectHandle? {
    var contents: [NamedContent] = []
    for member in members {
      let position = position.inside(member.name)
      let entry = ImportRecord.Entry(name: member.name, content: .json(member.value))
      guard let property = target.property(forColumn: member.name) else {
        throw Diagnostic.importing(
          file: file, position: position.text, reason: unknown([member.name], of: target))
      }
      guard let content = try content(entry, property, position) else { return nil }
      contents.append((property.name, content))
    }
    let object =
      target.isEmbedded
      ? try store.addEmbeddedObject(target.name, contents) : try store.add(target.name, contents)
    added?.note(object)
    return object
  }

  private mutating func settle(_ entry: Deferred) throws {
    guard let content = try content(entry.entry, entry.property, entry.position) ?? nilLink(entry)
    else {
      let target = entry.property.type.target.flatMap { schema.classSchema($0)?.name }
      throw Diagnostic.importing(
        file: file, position: entry.position.text,
        reason: "no such object" + (target.map { " of class '\($0)'" } ?? "")
          + ": \(entry.entry.content.shown)")
    }
    guard updates else { return try entry.object.set(entry.property.name, to: content) }
    let replaced = try entry.object.replace([(entry.property.name, content)])
    added?.note(replaced, replacedIn: entry.object)
    if !replaced.isEmpty { counts.noteChange(of: entry.object.id) }
  }

  /// Nil in place of a link that leads nowhere, if the statement wants that.
  private mutating func nilLink(_ entry: Deferred) -> PropertyContent? {
    guard plan.choice.isOrNil(entry.entry.name) else { return nil }
    counts.nilLinkCount += 1
    return .value(.null)
  }

  /// Checks that what may lead nowhere are links.
  private mutating func checkLinks() throws {
    for entry in plan.choice.entries where entry.isOrNil {
      guard case .property(let property, _) = plan.target(of: entry.column) else { continue }
      if property.type.shape == .single, let target = property.type.target,
        schema.classSchema(target)?.isEmbedded == false
      {
        continue
      }
      throw Diagnostic.importing(
        file: file, position: Position(line: 1, record: 0, property: entry.column).text,
        reason: "'or nil' is for links, and '\(property.name)' is none")
    }
  }
}

extension ImportRecord.Content {
  /// The beginning of the content, for an error.
  fileprivate var shown: String {
    let text =
      switch self {
      case .json(.string(let text)): text.quoted
      case .json(let value): value.text
      case .field(let field): field.text.quoted
      }
    return TextWidth.cut(text, to: 60)
  }

  /// A value of JSON as the string that it would be.
  fileprivate var asText: ImportRecord.Content {
    switch self {
    case .json(.null), .json(.string), .field: self
    case .json(let value): .json(.string(value.text))
    }
  }
}

extension String {
  /// A name from a file, which may be anything, shortened to one line for a message.
  var shortened: String {
    let isLong = unicodeScalars.count > 100
    return Self.bare(unicodeScalars.prefix(100)) + (isLong ? "…" : "")
  }

  /// The same with its end, by which long names mostly differ.
  var shortenedInside: String {
    guard unicodeScalars.count > 100 else { return shortened }
    return Self.bare(unicodeScalars.prefix(40)) + "…" + Self.bare(unicodeScalars.suffix(60))
  }

  private static func bare(_ scalars: Substring.UnicodeScalarView) -> String {
    String(String(scalars).quoted.utf8.dropFirst().dropLast()) ?? ""
  }
}
