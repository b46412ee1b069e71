import HeraldModel
import HeraldObservation
import HeraldQuery
import HeraldStorage

extension Session {
  /// Makes `schema` the store's and migrates the objects of one class.
  func migrate(_ migration: ClassMigration, to schema: Schema, _ write: OpenWrite) throws {
    try write.reader.withInterruption(interruption) {
      try checkAdded(migration, write)
      for change in migration.changed { try check(change, of: migration, schema, write) }
      if let key = migration.doubtfulKey { try checkUnique(key, migration, write) }
    }
    try wholly(write) {
      try stored { () throws(StorageError) in
        try write.migrate(migration, to: Layout(schema: schema))
      }
      keep(schema, write)
    }
  }

  private func checkAdded(_ migration: ClassMigration, _ write: OpenWrite) throws(HeraldError) {
    for property in migration.added
    where property.type.shape == .single && !property.type.isOptional
      && property.defaultValue == nil && !property.isGenerated
    {
      guard let object = write.reader.objects(of: migration.old.id).first(where: { _ in true })
      else { return }
      throw .needsDefault(
        property: property.name, className: migration.new.name, object: name(of: object))
    }
  }

  private func check(
    _ change: ClassMigration.Change, of migration: ClassMigration, _ schema: Schema,
    _ write: OpenWrite
  ) throws(HeraldError) {
    let becomesRequired = change.old.type.isOptional && !change.new.type.isOptional
    guard change.isOfType || becomesRequired else { return }
    for object in write.reader.objects(of: migration.old.id) {
      if write.reader.isInterrupted { throw .interrupted }
      let content = write.reader.content(of: change, object, schema)
      let isTooDeep =
        migration.new.isEmbedded && change.createsEmbedded(schema)
        && content.isDeeper(than: embeddedDepthLimit - depth(of: object))
      guard isTooDeep || content.converted(by: change, schema) == nil else { continue }
      throw .cannotConvert(
        object: name(of: object), property: change.old.name,
        expected: schema.name(of: change.new.type), value: described(content))
    }
  }

  private func checkUnique(
    _ key: PropertySchema, _ migration: ClassMigration, _ write: OpenWrite
  ) throws(HeraldError) {
    var owners: [Value: ObjectID] = [:]
    for object in write.reader.objects(of: migration.old.id) {
      if write.reader.isInterrupted { throw .interrupted }
      let content = migration.old.property(key.id).map { write.reader.content(of: $0, object) }
      guard case .value(let value)? = content?.converted(to: key.type) ?? key.defaultContent
      else { continue }
      guard let other = owners.updateValue(object, forKey: value) else { continue }
      throw .duplicateInAlter(
        object: name(of: other), other: name(of: object), property: key.name,
        value: value.described(in: schema))
    }
  }
}
