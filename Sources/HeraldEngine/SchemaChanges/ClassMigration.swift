import HeraldModel

/// The difference between two schemas of a class, which its objects are migrated by.
struct ClassMigration {
  struct Change {
    let old: PropertySchema
    let new: PropertySchema
  }

  let old: ClassSchema
  let new: ClassSchema
  let dropped: [PropertySchema]
  let added: [PropertySchema]
  /// The properties whose values or index entries may have to change.
  let changed: [Change]

  init(from old: ClassSchema, to new: ClassSchema) {
    self.old = old
    self.new = new
    dropped = old.properties.filter { new.property($0.id) == nil }
    added = new.properties.filter { old.property($0.id) == nil }
    changed = new.properties.compactMap { property in
      guard let before = old.property(property.id), before.differsInObjects(from: property)
      else { return nil }
      return Change(old: before, new: property)
    }
  }

  /// The primary key, if its values must be checked for uniqueness.
  var doubtfulKey: PropertySchema? {
    guard let key = new.primaryKey else { return nil }
    let before = old.property(key.id)
    return before?.isPrimaryKey == true && before?.type.element == key.type.element ? nil : key
  }
}

extension ClassMigration.Change {
  /// Whether every value must be rewritten.
  var isOfType: Bool { !old.type.hasSameValues(as: new.type) }

  /// Whether embedded objects are deleted, after they may have been converted to maps.
  func deletesEmbedded(_ schema: Schema) -> Bool {
    old.type.element != new.type.element && schema.holdsEmbedded(old.type)
  }

  /// Whether embedded objects are created.
  func createsEmbedded(_ schema: Schema) -> Bool {
    old.type.element != new.type.element && schema.holdsEmbedded(new.type)
  }
}

extension TransactionReader {
  /// Returns the content of an object's property that changes, in the form that is converted.
  func content(
    of change: ClassMigration.Change, _ object: ObjectID, _ schema: Schema
  ) -> PropertyContent {
    let content = content(of: change.old, object)
    return change.deletesEmbedded(schema) ? unfolded(content) : content
  }
}

extension PropertyContent {
  /// Returns the content for the new property; nil if it cannot be converted.
  func converted(by change: ClassMigration.Change, _ schema: Schema) -> PropertyContent? {
    change.createsEmbedded(schema)
      ? folded(to: change.new.type, schema) : converted(to: change.new.type)
  }
}

extension PropertySchema {
  fileprivate func differsInObjects(from other: PropertySchema) -> Bool {
    // Backlinks have no values; they differ where the property that they come from was renamed.
    if type.isBacklinks, other.type.isBacklinks { return false }
    return type != other.type || isInIndex != other.isInIndex || isPrimaryKey != other.isPrimaryKey
  }
}
