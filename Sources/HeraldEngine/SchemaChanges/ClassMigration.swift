import HeraldModel

/// From what a class was to what it is to be: what its objects must go through.
struct ClassMigration {
  struct Change {
    let old: PropertySchema
    let new: PropertySchema
  }

  let old: ClassSchema
  let new: ClassSchema
  let dropped: [PropertySchema]
  let added: [PropertySchema]
  /// Properties whose values or index entries may have to change; others keep theirs.
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

  /// The primary key, where its values are not known to be unique.
  var doubtfulKey: PropertySchema? {
    guard let key = new.primaryKey else { return nil }
    let before = old.property(key.id)
    return before?.isPrimaryKey == true && before?.type.element == key.type.element ? nil : key
  }
}

extension ClassMigration.Change {
  /// Whether every value has to be written anew.
  var isOfType: Bool { !old.type.hasSameValues(as: new.type) }

  /// Whether embedded objects go, and others may be made of them.
  func losesParts(_ schema: Schema) -> Bool {
    old.type.element != new.type.element && schema.holdsParts(old.type)
  }

  /// Whether embedded objects are made.
  func makesParts(_ schema: Schema) -> Bool {
    old.type.element != new.type.element && schema.holdsParts(new.type)
  }
}

extension TransactionReader where Transaction: ~Copyable {
  /// What an object holds in a property that changes: what it is to be made of.
  func content(
    of change: ClassMigration.Change, _ object: ObjectID, _ schema: Schema
  ) -> PropertyContent {
    let content = content(of: change.old, object)
    return change.losesParts(schema) ? unfolded(content) : content
  }
}

extension PropertyContent {
  /// The content as the property is to hold it; nil where it does not fit.
  func converted(by change: ClassMigration.Change, _ schema: Schema) -> PropertyContent? {
    change.makesParts(schema)
      ? folded(to: change.new.type, schema) : converted(to: change.new.type)
  }
}

extension PropertySchema {
  fileprivate func differsInObjects(from other: PropertySchema) -> Bool {
    type != other.type || isInIndex != other.isInIndex || isPrimaryKey != other.isPrimaryKey
  }
}
