package import HeraldModel
import HeraldObservation
import HeraldQuery
import HeraldStorage

extension Session {
  /// Adds an object. It validates everything before it changes anything.
  ///
  /// An embedded object (`asEmbedded`) must get its owner in the same write.
  package func add(
    _ classSchema: ClassSchema, _ contents: [NamedContent], asEmbedded: Bool = false
  ) throws -> ObjectID {
    try add(to: classSchema.id, named: classSchema.name, contents, asEmbedded: asEmbedded)
  }

  /// Adds an object of a class, whose name is for messages.
  package func add(
    to classID: ClassID, named name: String, _ contents: [NamedContent], asEmbedded: Bool = false
  ) throws -> ObjectID {
    if !asEmbedded, let insertion = repeatedInsertions.insertion, insertion.classID == classID,
      let (object, _) = try insertion.add(contents, in: self)
    {
      return object
    }
    let write = try openWrite()
    let form = try declaredForm(of: classID, named: name, write.reader.layout)
    guard form.schema.isEmbedded == asEmbedded else {
      throw HeraldError.embeddedNeedsOwner(className: form.schema.name)
    }
    let whole = form.generates ? form.schema.generating(contents) : contents
    let coerced = try CoercedContents(whole, to: form, in: self)
    try checkComplete(coerced)
    if form.schema.primaryKey != nil { try checkUnique(coerced) }
    try checkEmbeddedOwners(coerced, of: nil)
    let object: ObjectID
    do throws(StorageError) {
      object = try write.create(form.schema.id)
      try coerced.begin(object, write)
    } catch {
      throw HeraldError(error)
    }
    repeatedInsertions.note(form, contents)
    return object
  }

  /// Sets properties of an object: all of them, or none if one is invalid.
  package func set(_ object: ObjectID, _ contents: [NamedContent]) throws {
    let write = try openWrite(changesAnything: false)
    guard let form = write.reader.layout.form(object.classID) else {
      _ = try checkedClass(of: object)
      return
    }
    if contents.count == 1, let column = form.columnOfKept(contents[0]),
      write.reader.storage.hasValue(column.id, object.number),
      case .value(let value) = contents[0].content,
      try assign(value, to: column, of: object)
    {
      return
    }
    let coerced: CoercedContents
    do throws(HeraldError) {
      coerced = try CoercedContents(contents, to: form, in: self)
    } catch {
      _ = try checkedClass(of: object)
      throw error
    }
    if !coerced.isHeld(by: object, write.reader) { _ = try checkedClass(of: object) }
    if let key = form.schema.primaryKey, let content = coerced.content(of: key),
      content != .value(write.reader.value(key.id, of: object))
    {
      throw HeraldError.keyCannotChange(property: key.name, className: form.schema.name)
    }
    try checkEmbeddedOwners(coerced, of: object)
    for index in 0..<coerced.count { write.stamps.assign(coerced.column(index), object.classID) }
    try apply(coerced, to: object, write)
    try endStatement()
  }

  /// Assigns a property that is no primary key, and whose object exists since it has a value of the property, unless
  /// the value has to be coerced or validated; returns whether it has been assigned.
  package func assign(
    _ value: Value, to column: Layout.Column, of object: ObjectID
  ) throws -> Bool {
    guard column.keeps(.value(value)) else { return false }
    let write = try openWrite(changesAnything: false)
    write.stamps.assign(column, object.classID)
    do throws(StorageError) {
      try write.set(column, of: object, to: value)
    } catch {
      throw HeraldError(error)
    }
    try endStatement()
    return true
  }

  /// Validates contents for objects of a class in the open write: the names exist, and every value can be
  /// coerced.
  package func check(_ contents: [NamedContent], _ classSchema: ClassSchema) throws {
    guard let form = try openWrite().reader.layout.form(classSchema.id) else { return }
    _ = try CoercedContents(contents, to: form, in: self)
  }

  /// Updates the object with the primary key in `contents` where it differs, or adds one. Returns it with what it had in
  /// place of the contents that differ; nil for one that was added.
  package func upsert(
    _ classSchema: ClassSchema, _ contents: [NamedContent]
  ) throws -> (object: ObjectID, replaced: [NamedContent]?) {
    try checkDeclared(classSchema)
    guard let key = classSchema.primaryKey else {
      throw HeraldError.noPrimaryKey(className: classSchema.name)
    }
    let write = try openWrite()
    let form = try declaredForm(of: classSchema.id, named: classSchema.name, write.reader.layout)
    let coerced = try CoercedContents(contents, to: form, in: self)
    guard case .value(let value)? = coerced.content(of: key),
      let object = try find(classSchema, key: value)
    else { return (try add(classSchema, contents), nil) }
    return (object, try update(object, coerced, write))
  }

  /// Sets properties of an object where they differ; returns what it had in place of those that do.
  package func replace(_ object: ObjectID, _ contents: [NamedContent]) throws -> [NamedContent] {
    let (coerced, write) = try coercedChange(of: object, contents)
    return try update(object, coerced, write)
  }

  /// Sets contents of an object where they differ, also in what their embedded objects say; returns what it had in place of
  /// those that do. New embedded objects that equal those of the object are deleted.
  private func update(
    _ object: ObjectID, _ coerced: CoercedContents, _ write: OpenWrite
  ) throws -> [NamedContent] {
    let parts = KeptParts(reader: write.reader).parts(of: coerced, at: object)
    let replaced = replaced(by: coerced, in: object, write.reader, besides: parts)
    try modify(object, coerced, write, besides: parts)
    for part in parts.values.joined() { try delete(part) }
    return replaced
  }

  /// Sets properties of an object where they differ.
  package func modify(_ object: ObjectID, _ contents: [NamedContent]) throws {
    let (coerced, write) = try coercedChange(of: object, contents)
    try modify(object, coerced, write)
  }

  private func coercedChange(
    of object: ObjectID, _ contents: [NamedContent]
  ) throws -> (CoercedContents, OpenWrite) {
    let write = try openWrite()
    let classSchema = try checkedClass(of: object)
    let form = try declaredForm(of: classSchema.id, named: classSchema.name, write.reader.layout)
    return (try CoercedContents(contents, to: form, in: self), write)
  }

  private func modify(
    _ object: ObjectID, _ coerced: CoercedContents, _ write: OpenWrite,
    besides parts: [PropertyID: [ObjectID]] = [:]
  ) throws {
    try checkEmbeddedOwners(coerced, of: object)
    try apply(coerced, to: object, write) {
      parts[$1.id] == nil && !self.isEqual($0, of: $1, at: object)
    }
    try endStatement()
  }

  /// What an object has in place of the contents that differ from it.
  private func replaced(
    by coerced: CoercedContents, in object: ObjectID, _ reader: TransactionReader,
    besides parts: [PropertyID: [ObjectID]]
  ) -> [NamedContent] {
    (0..<coerced.count).compactMap { index in
      let (content, property) = (coerced.content(index), coerced.property(index))
      if parts[property.id] != nil { return nil }
      let old = reader.content(of: property, object)
      return old == content || isHeld(content, of: property, at: object)
        ? nil : (property.name, old)
    }
  }

  /// Returns the object with a primary key, or with a number if the class has no key.
  package func find(_ classSchema: ClassSchema, key: Value) throws(HeraldError) -> ObjectID? {
    guard let primaryKey = classSchema.primaryKey else {
      guard case .int(let number) = key, number > 0 else { return nil }
      let object = ObjectID(classSchema.id, number)
      return reader.exists(object) ? object : nil
    }
    let value = try primaryKey.coerced(key, in: classSchema, schema)
    let number =
      if let previous = position.previous {
        previous.object(with: value, in: primaryKey, of: classSchema.id)
      } else if let reader = writing.reader {
        reader.find(primaryKey.id, of: classSchema.id, equals: value)
      } else {
        standing { $0.find(primaryKey.id, of: classSchema.id, equals: value) }
      }
    return number.map { ObjectID(classSchema.id, $0) }
  }

  /// Returns a single-valued property by its name; nil if there is no such property or object.
  package func value(named name: String, of object: ObjectID) throws(HeraldError) -> Value? {
    try checkOpen()
    let value: Value?
    if let reader = writing.reader {
      value = reader.value(named: name, of: object)
    } else if let previous = position.previous {
      let property = previous.schema.classSchema(object.classID)?.property(named: name)
      value = property.flatMap {
        $0.type.shape == .single && previous.exists(object)
          ? previous.value($0.id, of: object) : nil
      }
    } else {
      value = standing { reader in
        reader.value(named: name, of: object) { column in
          if addresses.epoch.isOpen { addresses.note(name, object, column, in: reader.storage) }
        }
      }
    }
    try checkIntact()
    return value
  }

  /// Reads single-valued properties of an object into `values`, in place of what was there; returns false if there is no
  /// such object.
  package func read(
    _ properties: [PropertyID], of object: ObjectID, into values: inout [Value]
  ) throws(HeraldError) -> Bool {
    try checkOpen()
    values.removeAll(keepingCapacity: true)
    guard exists(object) else { return false }
    reader.append(properties, of: object, to: &values)
    try checkIntact()
    return true
  }

  /// Returns the outcome of the open write for an object that it has added; nil for other objects.
  package func outcomeOfAdding(of object: ObjectID) -> WriteOutcome? {
    guard let write = writing.open, write.log.isCreated(object) else { return nil }
    return write.fate
  }

  /// - Parameter changesAnything: Whether the statement may change more than the properties that it notes.
  func openWrite(changesAnything: Bool = true) throws(HeraldError) -> OpenWrite {
    try checkLive()
    guard let write = writing.open else {
      if writing.isBeginning { throw .writeInProgress }
      throw isReadOnly ? .readOnly : .notInWrite
    }
    try checkMemory(of: write)
    writing.beginStatement(of: write, changesAnything: changesAnything)
    return write
  }

  /// Begins a statement of the open write, which may change more than the properties that it notes.
  func beginStatement(of write: OpenWrite) throws(HeraldError) {
    try checkLive()
    try checkMemory(of: write)
    writing.beginStatement(of: write, changesAnything: true)
  }

  /// Throws if the record of the write's changes has become too large.
  @inline(__always)
  func checkMemory(of write: OpenWrite) throws(HeraldError) {
    guard write.log.memory.bytes > Self.smallRecord else { return }
    let limit = hub.environment.writeLimit
    if write.log.memory.bytes > limit { throw .writeTooLarge(limit: limit) }
  }

  /// The size, in bytes, below which a record is not compared with the limit.
  private static let smallRecord = 1 << 20

  func declaredForm(
    of classID: ClassID, named name: String, _ layout: Layout
  ) throws(HeraldError) -> ClassForm {
    guard let form = layout.form(classID) else { throw .unknownClass(name, nearest: nil) }
    if let undeclared = form.undeclared { throw .undeclaredClass(undeclared) }
    return form
  }

  package func checkDeclared(_ classSchema: ClassSchema) throws(HeraldError) {
    guard classSchema.isDeclared else { throw .undeclaredClass(classSchema.name) }
    for property in classSchema.properties {
      if let target = property.type.target, let targetClass = schema.classSchema(target),
        !targetClass.isDeclared
      {
        throw .undeclaredClass(targetClass.name)
      }
    }
  }

  /// Returns the class of an object; throws if the object does not exist.
  package func checkedClass(of object: ObjectID) throws(HeraldError) -> ClassSchema {
    guard let classSchema = schema.classSchema(object.classID) else {
      throw .unknownClass("#\(object.classID.rawValue)", nearest: nil)
    }
    guard reader.exists(object) else { throw .objectDeleted(name(of: object)) }
    return classSchema
  }

  /// Returns `Dog#3`, for messages; `number 3 of class 'Dog'` if its key was deleted with it.
  package func name(of object: ObjectID) -> String {
    let className = schema.classSchema(object.classID)?.name ?? "object"
    let key = key(of: object)
    return key.isNull
      ? "number \(object.number) of class '\(className)'"
      : "\(className)#\(key.described(in: schema))"
  }

  package func checkedProperty(
    _ name: String, of classSchema: ClassSchema
  ) throws(HeraldError) -> PropertySchema {
    guard let property = classSchema.property(named: name) else {
      throw unknownProperty(name, of: classSchema)
    }
    return property
  }

  func unknownProperty(_ name: String, of classSchema: ClassSchema) -> HeraldError {
    .unknownProperty(
      name, className: classSchema.name,
      nearest: nearestName(to: name, in: classSchema.properties.map(\.name)))
  }
}

extension Session {
  /// Throws unless a write is open. Errors: `notInWrite`, `readOnly`, `frozen`, `closed`, `writeTooLarge`.
  package func checkedWrite() throws(HeraldError) { _ = try openWrite() }

  /// Equal as long as reads of the same paths give the same.
  package struct ReadStamp: Equatable {
    let version: Int
    /// The last statement of the open write that may concern the reads; 0 for none.
    let statement: Int
  }

  /// Returns the stamp of what reads which objects a class has, and the properties of `paths`.
  package func readStamp(of paths: [PropertyPath]) -> ReadStamp {
    if let write = writing.open {
      return ReadStamp(version: version, statement: write.stamps.last(concerning: paths))
    }
    resumeOnUse()
    return ReadStamp(version: version, statement: 0)
  }
}
