package import HeraldModel
import HeraldObservation
import HeraldQuery
import HeraldStorage

/// A content that was checked against its property.
struct FittedContent {
  let property: PropertySchema
  let content: PropertyContent
}

extension Session {
  /// Adds an object. Everything is checked before anything is changed.
  ///
  /// An embedded object (`asPart`) must be given its owner in the same write.
  package func add(
    _ classSchema: ClassSchema, _ contents: [NamedContent], asPart: Bool = false
  ) throws -> ObjectID {
    let write = try openWrite()
    try checkDeclared(classSchema)
    guard classSchema.isEmbedded == asPart else {
      throw HeraldError.embeddedStandsAlone(className: classSchema.name)
    }
    let fitted = try completed(try fit(contents, to: classSchema), for: classSchema)
    if let key = classSchema.primaryKey, case .value(let value)? = content(of: key, in: fitted) {
      try checkUnique(value, key, classSchema)
    }
    for content in fitted { try checkParts(content, of: nil) }
    let object = try stored { () throws(StorageError) in
      try write.create(classSchema)
    }
    for content in fitted { try apply(content, to: object, write, isNew: true) }
    return object
  }

  /// Sets properties of an object, all or none of them.
  package func set(_ object: ObjectID, _ contents: [NamedContent]) throws {
    let write = try openWrite()
    let classSchema = try checkedClass(of: object)
    let fitted = try fit(contents, to: classSchema)
    for content in fitted where content.property.isPrimaryKey {
      guard content.content == .value(reader.value(content.property.id, of: object)) else {
        throw HeraldError.keyCannotChange(
          property: content.property.name, className: classSchema.name)
      }
    }
    for content in fitted { try checkParts(content, of: object) }
    for content in fitted { try apply(content, to: object, write, isNew: false) }
    try throwToldFailure()
  }

  /// Embedded objects that a property is given and does not hold yet must have no owner.
  private func checkParts(_ content: FittedContent, of object: ObjectID?) throws(HeraldError) {
    guard let target = content.property.type.target,
      schema.classSchema(target)?.isEmbedded == true
    else { return }
    let held = object.map { reader.value(content.property.id, of: $0) }
    switch content.content {
    case .value(let value): if value != held { try checkOwnerless(value) }
    case .list(let values): for value in values { try checkOwnerless(value) }
    case .map(let entries): for value in entries.values { try checkOwnerless(value) }
    }
  }

  /// The object with the primary key among `contents`, changed where it differs; else a new one.
  package func upsert(_ classSchema: ClassSchema, _ contents: [NamedContent]) throws -> ObjectID {
    try checkDeclared(classSchema)
    guard let key = classSchema.primaryKey else {
      throw HeraldError.noPrimaryKey(className: classSchema.name)
    }
    let fitted = try fit(contents, to: classSchema)
    guard case .value(let value)? = content(of: key, in: fitted),
      let object = try find(classSchema, key: value)
    else { return try add(classSchema, contents) }
    let write = try openWrite()
    for content in fitted where !isEqual(content, at: object) {
      try apply(content, to: object, write, isNew: false)
    }
    return object
  }

  /// The object with a primary key, or with a number where the class has no key.
  package func find(_ classSchema: ClassSchema, key: Value) throws -> ObjectID? {
    guard let primaryKey = classSchema.primaryKey else {
      guard case .int(let number) = key, number > 0 else { return nil }
      let object = ObjectID(classSchema.id, number)
      return reader.exists(object) ? object : nil
    }
    let value = try primaryKey.fitted(key, in: classSchema, schema)
    return reader.indexed(primaryKey.id, of: classSchema.id, equals: value)?.first
      .map { ObjectID(classSchema.id, $0) }
  }

  func openWrite() throws(HeraldError) -> OpenWrite {
    try checkOpen()
    switch writing {
    case .open(let write): return write
    case .beginning: throw .writeInProgress
    case .none: throw isReadOnly ? .readOnly : .notInWrite
    }
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

  /// `Dog#3`, for messages.
  package func name(of object: ObjectID) -> String {
    let className = schema.classSchema(object.classID)?.name ?? "object"
    let key = key(of: object)
    return "\(className)#\(key.isNull ? "\(object.number)" : key.described(in: schema))"
  }

  package func checkedProperty(
    _ name: String, of classSchema: ClassSchema
  ) throws(HeraldError) -> PropertySchema {
    guard let property = classSchema.property(named: name) else {
      throw .unknownProperty(
        name, className: classSchema.name,
        nearest: nearestName(to: name, in: classSchema.properties.map(\.name)))
    }
    return property
  }
}

extension Session {
  private func fit(
    _ contents: [NamedContent], to classSchema: ClassSchema
  ) throws(HeraldError) -> [FittedContent] {
    var fitted: [FittedContent] = []
    fitted.reserveCapacity(contents.count)
    for (name, content) in contents {
      let property = try checkedProperty(name, of: classSchema)
      if fitted.contains(where: { $0.property.id == property.id }) {
        throw .duplicateProperty(name, className: classSchema.name)
      }
      fitted.append(
        FittedContent(property: property, content: try fit(content, property, classSchema)))
    }
    return fitted
  }

  package func fit(
    _ content: PropertyContent, _ property: PropertySchema, _ classSchema: ClassSchema
  ) throws(HeraldError) -> PropertyContent {
    switch (content, property.type.shape) {
    case (.value(let value), .single):
      return .value(try fit(value, property, classSchema))
    case (.list(let values), .list), (.list(let values), .set):
      var elements: [Value] = []
      elements.reserveCapacity(values.count)
      for value in values { elements.append(try fit(value, property, classSchema)) }
      return .list(elements)
    case (.map(let entries), .map):
      var fitted: [String: Value] = [:]
      for (key, value) in entries { fitted[key] = try fit(value, property, classSchema) }
      return .map(fitted)
    case (.list(let values), .single) where property.type.element == .any:
      return .value(try fit(.list(values), property, classSchema))
    case (.map(let entries), .single) where property.type.element == .any:
      return .value(try fit(.map(entries), property, classSchema))
    case (_, .backlinks): throw .cannotChangeBacklinks(property.name)
    case (.list, .single), (.list, .map), (.value, .list), (.value, .set), (.value, .map),
      (.map, .single), (.map, .list), (.map, .set):
      throw .wrongType(
        property: property.name, className: classSchema.name,
        expected: schema.name(of: property.type), value: described(content))
    }
  }

  /// A value as the property keeps it; a link must lead to an object that exists.
  func fit(
    _ value: Value, _ property: PropertySchema, _ classSchema: ClassSchema
  ) throws(HeraldError) -> Value {
    let fitted = try property.fitted(value, in: classSchema, schema)
    for target in fitted.links {
      guard reader.exists(target) else { throw .objectDeleted(name(of: target)) }
    }
    return fitted
  }

  func described(_ content: PropertyContent) -> String {
    switch content {
    case .value(let value): value.described(in: schema)
    case .list(let values): Value.list(values).described(in: schema)
    case .map(let entries): Value.map(entries).described(in: schema)
    }
  }

  /// Adds defaults for what a new object's contents leave out.
  private func completed(
    _ contents: [FittedContent], for classSchema: ClassSchema
  ) throws(HeraldError) -> [FittedContent] {
    if contents.count == classSchema.properties.count { return contents }
    var completed = contents
    for property in classSchema.properties
    where !contents.contains(where: { $0.property.id == property.id }) {
      switch property.type.shape {
      case .backlinks: break
      case .list, .set, .map:
        if let content = property.defaultContent {
          completed.append(FittedContent(property: property, content: content))
        }
      case .single:
        if let value = property.defaultValue {
          completed.append(FittedContent(property: property, content: .value(value)))
        } else if !property.type.isOptional {
          throw .missingValue(property: property.name, className: classSchema.name)
        } else if property.isIndexed || property.isPrimaryKey {
          completed.append(FittedContent(property: property, content: .value(.null)))
        }
      }
    }
    return completed
  }

  private func content(
    of property: PropertySchema, in contents: [FittedContent]
  ) -> PropertyContent? {
    contents.first { $0.property.id == property.id }?.content
  }

  private func checkUnique(
    _ value: Value, _ key: PropertySchema, _ classSchema: ClassSchema
  ) throws(HeraldError) {
    guard let others = reader.indexed(key.id, of: classSchema.id, equals: value), !others.isEmpty
    else { return }
    throw .duplicateKey(
      value.described(in: schema), className: classSchema.name, property: key.name)
  }

  private func isEqual(_ content: FittedContent, at object: ObjectID) -> Bool {
    guard case .list(let values) = content.content, content.property.type.shape == .list else {
      // The write itself leaves equal values, sets and maps alone.
      return false
    }
    guard reader.listCount(content.property.id, of: object) == values.count else { return false }
    var index = 0
    var isEqual = true
    reader.forEachElement(content.property.id, of: object) { element in
      isEqual = element == values[index]
      index += 1
      return isEqual
    }
    return isEqual
  }

  private func apply(
    _ content: FittedContent, to object: ObjectID, _ write: OpenWrite, isNew: Bool
  ) throws(HeraldError) {
    let property = content.property
    try stored { () throws(StorageError) in
      switch content.content {
      case .value(let value): try write.set(property, of: object, to: value, isNew: isNew)
      case .list(let values) where property.type.shape == .set:
        try write.assign(values, toSet: property, of: object)
      case .list(let values): try write.assign(values, to: property, of: object)
      case .map(let entries): try write.assign(entries, toMap: property, of: object)
      }
    }
  }
}
