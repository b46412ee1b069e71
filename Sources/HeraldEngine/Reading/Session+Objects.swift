package import HeraldModel
import HeraldObservation
import HeraldQuery
import HeraldStorage

extension Session {
  /// Adds an object. Everything is checked before anything is changed.
  ///
  /// An embedded object (`asPart`) must be given its owner in the same write.
  package func add(
    _ classSchema: ClassSchema, _ contents: [NamedContent], asPart: Bool = false
  ) throws -> ObjectID {
    let write = try openWrite()
    let form = try declaredForm(of: classSchema, write.reader.layout)
    guard form.schema.isEmbedded == asPart else {
      throw HeraldError.embeddedStandsAlone(className: form.schema.name)
    }
    let whole = form.generates ? form.schema.generating(contents) : contents
    let fitted = try FittedContents(whole, to: form, in: self)
    try checkComplete(fitted)
    if form.schema.primaryKey != nil { try checkUnique(fitted) }
    try checkParts(fitted, of: nil)
    let object: ObjectID
    do throws(StorageError) {
      object = try write.create(form.schema.id)
      try fitted.begin(object, write)
    } catch {
      throw HeraldError(error)
    }
    return object
  }

  /// Sets properties of an object, all or none of them.
  package func set(_ object: ObjectID, _ contents: [NamedContent]) throws {
    let write = try openWrite()
    guard let form = write.reader.layout.form(object.classID), write.reader.exists(object) else {
      _ = try checkedClass(of: object)
      return
    }
    let fitted = try FittedContents(contents, to: form, in: self)
    if let key = form.schema.primaryKey, let content = fitted.content(of: key),
      content != .value(write.reader.value(key.id, of: object))
    {
      throw HeraldError.keyCannotChange(property: key.name, className: form.schema.name)
    }
    try checkParts(fitted, of: object)
    try apply(fitted, to: object, write)
    try endStatement()
  }

  /// Whether objects of a class could be given these in the open write: the names are known, and
  /// every value fits.
  package func check(_ contents: [NamedContent], _ classSchema: ClassSchema) throws {
    guard let form = try openWrite().reader.layout.form(classSchema.id) else { return }
    _ = try FittedContents(contents, to: form, in: self)
  }

  /// The object with the primary key among `contents`, changed where it differs; else a new one.
  package func upsert(_ classSchema: ClassSchema, _ contents: [NamedContent]) throws -> ObjectID {
    try checkDeclared(classSchema)
    guard let key = classSchema.primaryKey else {
      throw HeraldError.noPrimaryKey(className: classSchema.name)
    }
    let write = try openWrite()
    let form = try declaredForm(of: classSchema, write.reader.layout)
    let fitted = try FittedContents(contents, to: form, in: self)
    guard case .value(let value)? = fitted.content(of: key),
      let object = try find(classSchema, key: value)
    else { return try add(classSchema, contents) }
    try checkParts(fitted, of: object) { isHeld($0, of: $1, at: object) }
    try apply(fitted, to: object, write) { !isEqual($0, of: $1, at: object) }
    try endStatement()
    return object
  }

  /// The object with a primary key, or with a number where the class has no key.
  package func find(_ classSchema: ClassSchema, key: Value) throws(HeraldError) -> ObjectID? {
    guard let primaryKey = classSchema.primaryKey else {
      guard case .int(let number) = key, number > 0 else { return nil }
      let object = ObjectID(classSchema.id, number)
      return reader.exists(object) ? object : nil
    }
    let value = try primaryKey.fitted(key, in: classSchema, schema)
    let number =
      switch writing {
      case .open(let write): write.reader.find(primaryKey.id, of: classSchema.id, equals: value)
      case .none, .beginning:
        standing { $0.find(primaryKey.id, of: classSchema.id, equals: value) }
      }
    return number.map { ObjectID(classSchema.id, $0) }
  }

  /// A single-valued property by its name; nil where there is no such property or no such object.
  package func value(named name: String, of object: ObjectID) throws(HeraldError) -> Value? {
    try checkOpen()
    let value: Value?
    if case .open(let write) = writing {
      value = write.reader.value(named: name, of: object)
    } else {
      value = standing { $0.value(named: name, of: object) }
    }
    try checkIntact()
    return value
  }

  /// The fate of the open write, for a handle of an object that it has added; nil for other objects.
  package func addingFate(of object: ObjectID) -> WriteFate? {
    guard case .open(let write) = writing, write.isCreated(object) else { return nil }
    return write.fate
  }

  func openWrite() throws(HeraldError) -> OpenWrite {
    try checkLive()
    switch writing {
    case .open(let write):
      try checkMemory(of: write)
      return write
    case .beginning: throw .writeInProgress
    case .none: throw isReadOnly ? .readOnly : .notInWrite
    }
  }

  /// Refuses to go on with a write of which the record of what it has changed has become too large.
  @inline(__always)
  func checkMemory(of write: OpenWrite) throws(HeraldError) {
    guard write.memory.bytes > Self.smallRecord else { return }
    let limit = hub.environment.writeLimit
    if write.memory.bytes > limit { throw .writeTooLarge(limit: limit) }
  }

  /// Of records that take less memory nobody asks for the limit.
  private static let smallRecord = 1 << 20

  private func declaredForm(
    of classSchema: ClassSchema, _ layout: Layout
  ) throws(HeraldError) -> ClassForm {
    guard let form = layout.form(classSchema.id) else {
      throw .unknownClass(classSchema.name, nearest: nil)
    }
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

  /// The class of an object that exists.
  package func checkedClass(of object: ObjectID) throws(HeraldError) -> ClassSchema {
    guard let classSchema = schema.classSchema(object.classID) else {
      throw .unknownClass("#\(object.classID.rawValue)", nearest: nil)
    }
    guard reader.exists(object) else { throw .objectDeleted(name(of: object)) }
    return classSchema
  }

  /// `Dog#3`, for messages; `number 3 of class 'Dog'` where its key went with it.
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
