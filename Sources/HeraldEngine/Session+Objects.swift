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
  package func add(_ classSchema: ClassSchema, _ contents: [NamedContent]) throws -> ObjectID {
    let write = try openWrite()
    try checkDeclared(classSchema)
    let fitted = try completed(try fit(contents, to: classSchema), for: classSchema)
    if let key = classSchema.primaryKey, case .value(let value)? = content(of: key, in: fitted) {
      try checkUnique(value, key, classSchema)
    }
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
    for content in fitted { try apply(content, to: object, write, isNew: false) }
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
    case (.list(let values), .list):
      var elements: [Value] = []
      elements.reserveCapacity(values.count)
      for value in values { elements.append(try fit(value, property, classSchema)) }
      return .list(elements)
    case (.list, .single), (.value, .list):
      throw .wrongType(
        property: property.name, className: classSchema.name,
        expected: property.type.name(in: schema), value: described(content))
    }
  }

  /// A value as the property keeps it; a link must lead to an object that exists.
  func fit(
    _ value: Value, _ property: PropertySchema, _ classSchema: ClassSchema
  ) throws(HeraldError) -> Value {
    let fitted = try property.fitted(value, in: classSchema, schema)
    if case .link(let target) = fitted, !reader.exists(target) {
      throw .objectDeleted(name(of: target))
    }
    return fitted
  }

  private func described(_ content: PropertyContent) -> String {
    switch content {
    case .value(let value): value.described(in: schema)
    case .list(let values):
      "[" + values.map { $0.described(in: schema) }.joined(separator: ", ") + "]"
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
      case .list: break
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
    switch content.content {
    case .value(let value): return reader.value(content.property.id, of: object) == value
    case .list(let values):
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
  }

  private func apply(
    _ content: FittedContent, to object: ObjectID, _ write: OpenWrite, isNew: Bool
  ) throws(HeraldError) {
    switch content.content {
    case .value(let value):
      try stored { () throws(StorageError) in
        try write.set(content.property, of: object, to: value, isNew: isNew)
      }
    case .list(let values):
      if values.isEmpty && reader.listCount(content.property.id, of: object) == 0 { return }
      try stored { () throws(StorageError) in
        try write.assign(values, to: content.property, of: object)
      }
    }
  }
}
