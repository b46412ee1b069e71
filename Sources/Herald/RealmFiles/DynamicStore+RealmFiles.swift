import HeraldEngine
import HeraldModel

extension DynamicStore {
  /// Adds the classes of a file of the documented system that the store lacks, and their objects, in the open transaction or
  /// in one of its own; returns what could not be read of them. The first classes of a store bring the file's schema version.
  ///
  /// - Parameter names: the classes that are taken over, those that they link to without their objects; nil for all.
  ///
  /// Errors: `schemaDiffers` for a class that is declared otherwise; `cannotOpen` if the file has changed since it was opened;
  /// those of a write.
  package func load(
    _ source: RealmSource, classes names: Set<String>? = nil
  ) throws -> [RealmLoss] {
    guard session.isInWrite else { return try session.write { try load(source, classes: names) } }
    let isFirst = schema.classes.allSatisfy { !$0.isDeclared }
    let tables = source.tables.filter { names?.contains($0.definition.name) ?? true }
    for table in source.tables(reachedFrom: tables) {
      let definition = table.definition
      let present = session.classSchema(named: definition.name)
      if let present, present.isDeclared {
        if names?.contains(definition.name) ?? true { try check(definition, against: present) }
      } else {
        try session.declare(definition)
      }
    }
    if isFirst, let version = source.schemaVersion { try session.setProgramSchemaVersion(version) }
    var loading = RealmLoading(source, into: session)
    try loading.load(tables)
    return loading.losses
  }

  /// Makes a store of a file of the documented system at a path without a file, by one commit, which gives the file its name;
  /// returns the store, and what could not be read.
  ///
  /// Errors: `cannotOpen` if there is a file, or another program makes one meanwhile; those of `load`.
  package static func converting(
    _ source: RealmSource, to path: String, interruption: Interruption? = nil
  ) throws -> (store: DynamicStore, losses: [RealmLoss]) {
    let store = try DynamicStore(path: path)
    if let interruption { store.interruption = interruption }
    store.writeLimit = .max
    let losses = try store.write {
      // Where another program has been faster, this is its file.
      guard !store.hasFile, store.schema.classes.allSatisfy({ !$0.isDeclared }) else {
        throw HeraldError.cannotOpen(path: path, reason: "there is a file already")
      }
      return try store.load(source)
    }
    return (store, losses)
  }

  /// Throws unless a class of the store can take the objects of one of a file.
  private func check(_ definition: ClassDefinition, against present: ClassSchema) throws {
    func differ(_ reason: String) -> HeraldError {
      .schemaDiffers(
        className: definition.name, reason: reason,
        remedy: "import into a store that lacks the class, or change it by 'alter'")
    }
    if definition.isEmbedded != present.isEmbedded { throw differ("one of both is embedded") }
    for property in definition.properties {
      guard let own = present.property(named: property.name) else {
        throw differ("it has no property '\(property.name)'")
      }
      let element = own.type.element.naming { schema.classSchema($0)?.name ?? "" }
      let isSame =
        element == property.element && own.type.shape == property.shape
        && own.isPrimaryKey == property.isPrimaryKey
        && (own.type.isOptional || !property.isOptional)
      if !isSame { throw differ("property '\(property.name)' has another type") }
    }
    let names = Set(definition.properties.map(\.name))
    for own in present.properties where !own.type.isBacklinks && !names.contains(own.name) {
      throw differ("the file has no property '\(own.name)'")
    }
  }

  /// Declares the classes of a file of the documented system, without its objects.
  package func declareClasses(of source: RealmSource) throws {
    try session.write { for definition in source.definitions { try session.declare(definition) } }
  }

  /// Another session of the store that only reads.
  package func readingSession(named name: String) throws -> DynamicStore {
    DynamicStore(try session.readingSibling(), named: name)
  }
}
