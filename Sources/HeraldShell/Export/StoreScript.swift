import Herald

/// Writes a store as a script that rebuilds it: the classes, then every object with its plain values, in
/// order of creation, then the properties with links, so that links can form cycles.
///
/// An object is named by its primary key; if it has none, by a variable of its class and its position in
/// the order of creation, so that a rebuilt store writes the same script.
struct StoreScript {
  let store: DynamicStore
  /// Writes one line, given without its newline.
  let write: (String) throws -> Void
  private let schema: Schema
  /// The positions of objects in the order of creation, by class.
  private var positions: [ClassID: [ObjectNumber: Int]] = [:]

  init(_ store: DynamicStore, write: @escaping (String) throws -> Void) {
    self.store = store
    self.write = write
    schema = store.schema
  }

  /// `progress` is called before every object.
  mutating func run(
    classes: [ClassDefinition], projections: [ProjectionDefinition], _ progress: () throws -> Void
  ) throws {
    try runObjects(classes: classes, projections: projections, progress)
    for definition in schema.definitions { try write(text(of: definition)) }
  }

  /// A query that cannot be bound is a comment, so that the script goes on.
  private func text(of definition: QueryDefinition) throws -> String {
    let names = DefinitionNames(definition, in: schema)
    let named = try definition.naming(names) { try self.name(of: $0) }
    let text = LiteralText.text(named)
    return names.error == nil ? text : "# \(text)"
  }

  /// An object without a primary key has another number in a rebuilt store; one that was deleted gets the number 0, which
  /// none has. nil for one with a primary key.
  private func name(of object: ResolvedNames.Object) throws -> String? {
    guard let classSchema = schema.classSchema(named: object.className),
      classSchema.primaryKey == nil
    else { return nil }
    let found = try store.object(classSchema.name, key: object.key)
    return try found.map { try name(of: $0.id) } ?? "\(classSchema.name)#0"
  }

  private mutating func runObjects(
    classes: [ClassDefinition], projections: [ProjectionDefinition], _ progress: () throws -> Void
  ) throws {
    for definition in classes { try write(LiteralText.text(definition)) }
    for projection in projections { try write(LiteralText.text(projection)) }
    let kept = schema.classes.filter { $0.isDeclared && !$0.isEmbedded }
    var isEmpty = true
    for classSchema in kept {
      let objects = try store.results(of: classSchema)?.objects ?? []
      if objects.isEmpty { continue }
      if isEmpty { try write("begin") }
      isEmpty = false
      for (position, object) in objects.enumerated() {
        try progress()
        positions[classSchema.id, default: [:]][object.id.number] = position + 1
        try add(object, classSchema)
      }
    }
    if isEmpty { return }
    for classSchema in kept where classSchema.properties.contains(where: \.mayLink) {
      for object in try store.results(of: classSchema)?.objects ?? [] {
        try progress()
        try link(object, classSchema)
      }
    }
    try write("commit")
  }

  private func add(_ object: ObjectHandle, _ classSchema: ClassSchema) throws {
    var entries: [String] = []
    for property in classSchema.properties where !property.type.isBacklinks {
      if let text = try text(of: property, object, isLinking: false) {
        entries.append("\(property.name): \(text)")
      }
    }
    let name = try name(of: object.id)
    let variable = name.utf8.first == Byte.dollar ? " as \(name)" : ""
    try write("add \(classSchema.name) {\(entries.joined(separator: ", "))}\(variable)")
  }

  private func link(_ object: ObjectHandle, _ classSchema: ClassSchema) throws {
    var entries: [String] = []
    for property in classSchema.properties where property.mayLink {
      if let text = try text(of: property, object, isLinking: true) {
        entries.append("\(property.name): \(text)")
      }
    }
    if entries.isEmpty { return }
    try write("set \(try name(of: object.id)) {\(entries.joined(separator: ", "))}")
  }
}

// MARK: Properties

extension StoreScript {
  /// nil if the object has the value by default, or if the other pass writes it.
  private func text(
    of property: PropertySchema, _ object: ObjectHandle, isLinking: Bool
  ) throws -> String? {
    let element = property.type.element
    if property.type.isCollection {
      let collection = try object.collection(property.name)
      let values = collection.values
      if values.isEmpty { return isLinking || property.defaultValue == nil ? nil : "[]" }
      if values.contains(where: \.leadsToObjects) != isLinking { return nil }
      var texts = try values.map { try literal($0, as: element) }
      // Links in a set are in the order of their classes' numbers, which may differ in a rebuilt
      // store.
      if property.type.shape == .set, element == .any, isLinking { texts.sort() }
      guard collection.isMap else { return "[\(texts.joined(separator: ", "))]" }
      let entries = zip(collection.keys, texts).map { "\($0.quoted): \($1)" }
      return "{\(entries.joined(separator: ", "))}"
    }
    let value = try object.value(property.name)
    if value.isNull {
      let isNilAnyway = property.defaultValue == nil && !property.isGenerated
      return isLinking || isNilAnyway ? nil : "nil"
    }
    if value.leadsToObjects != isLinking { return nil }
    return try literal(value, as: element)
  }

  private func literal(_ value: Value, as element: ElementType) throws -> String {
    try ScriptText.literal(value, as: element) { try reference($0) }
  }

  /// A link, or the literal of an embedded object.
  private func reference(_ id: ObjectID) throws -> String {
    guard let classSchema = schema.classSchema(id.classID), classSchema.isEmbedded,
      let part = store.object(id)
    else { return try name(of: id) }
    var entries: [String] = []
    for property in classSchema.properties where !property.type.isBacklinks {
      let text =
        try text(of: property, part, isLinking: false)
        ?? text(of: property, part, isLinking: true)
      if let text { entries.append("\(property.name): \(text)") }
    }
    return "{\(entries.joined(separator: ", "))}"
  }

  private func name(of id: ObjectID) throws -> String {
    let label = store.label(of: id)
    if let classSchema = schema.classSchema(id.classID), classSchema.primaryKey != nil,
      !label.key.isNull
    {
      return LiteralText.text(label)
    }
    return "$\(label.className)_\(positions[id.classID]?[id.number] ?? 0)"
  }
}

extension PropertySchema {
  /// Whether values of the property can contain links, also to embedded objects.
  fileprivate var mayLink: Bool {
    !type.isBacklinks && (type.linkedClass != nil || type.element == .any)
  }
}
