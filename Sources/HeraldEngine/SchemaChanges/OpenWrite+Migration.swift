package import HeraldModel
import HeraldObservation
import HeraldQuery
import HeraldStorage

// To observers an `alter` changes no object: nothing here is recorded or notified, except for the embedded
// objects that are deleted with a dropped property.

extension OpenWrite {
  /// Migrates the objects of a class, which were validated, from one schema to another.
  func migrate(_ migration: ClassMigration, to layout: Layout) throws(StorageError) {
    let parts = try quietly { () throws(StorageError) -> [Value] in
      let old = reader.layout
      let classID = migration.old.id
      var parts: [Value] = []
      for property in migration.dropped { parts += try drop(property, of: classID) }
      for change in migration.changed {
        reader.layout = old
        if change.isOfType {
          parts += try convert(change, of: classID, to: layout)
        } else if change.old.isInIndex != change.new.isInIndex {
          try reindex(change.new, of: classID)
        }
      }
      reader.layout = layout
      for property in migration.added {
        for object in reader.objects(of: classID) {
          try checkInterruption()
          try fill(property, of: object)
        }
      }
      return parts
    }
    for part in parts {
      try checkInterruption()
      try deleteEmbedded(in: part)
    }
    discardLosses(migration)
  }

  /// Throws if an interruption was requested during a change of many objects.
  func checkInterruption() throws(StorageError) {
    if reader.isInterrupted { throw .interrupted }
  }

  /// Runs `body` without recording its changes or notifying observers.
  private func quietly<R>(
    _ body: () throws(StorageError) -> R
  ) throws(StorageError) -> R {
    isMigrating = true
    defer { isMigrating = false }
    return try body()
  }

  /// Removes a property from every object; returns the values that may be embedded objects.
  private func drop(
    _ property: PropertySchema, of classID: ClassID
  ) throws(StorageError) -> [Value] {
    var parts: [Value] = []
    for object in reader.objects(of: classID) {
      try checkInterruption()
      parts += try clearProperty(property, of: object)
    }
    return parts
  }

  /// Converts a property block by block, so that at most one is in memory in both forms. Returns the
  /// embedded objects that have lost their owner.
  private func convert(
    _ change: ClassMigration.Change, of classID: ClassID, to new: Layout
  ) throws(StorageError) -> [Value] {
    let old = reader.layout
    var parts: [Value] = []
    for block in 0..<reader.blockCount(of: classID) {
      try checkInterruption()
      reader.layout = old
      let objects = reader.objects(of: classID, block: block)
      let contents = objects.map { reader.content(of: change, $0, new.schema) }
      for object in objects {
        let held = try clearProperty(change.old, of: object)
        if change.deletesEmbedded(new.schema) { parts += held }
      }
      if change.old.type.shape == .single, let column = old.column(change.old.id, of: classID) {
        try transaction.dropBlock(column.id, block)
      }
      reader.layout = new
      for (object, content) in zip(objects, contents) {
        guard var converted = content.converted(by: change, new.schema) else { continue }
        if change.createsEmbedded(new.schema) { converted = try made(converted, change.new) }
        try give(converted, to: change.new, of: object)
      }
    }
    return parts
  }

  /// Returns a folded content with each map replaced by a new embedded object.
  private func made(
    _ content: PropertyContent, _ property: PropertySchema
  ) throws(StorageError) -> PropertyContent {
    guard let target = property.type.target.flatMap({ reader.schema.classSchema($0) }) else {
      return content
    }
    switch content {
    case .value(let value): return .value(try made(value, target))
    case .list(let values):
      var parts: [Value] = []
      for value in values { parts.append(try made(value, target)) }
      return .list(parts)
    case .map(let entries):
      var parts: MapEntries = [:]
      for (key, value) in entries { parts[key] = try made(value, target) }
      return .map(parts)
    }
  }

  private func made(_ value: Value, _ target: ClassSchema) throws(StorageError) -> Value {
    guard case .map(let entries) = value else { return value }
    let part = try create(target.id)
    for property in target.properties {
      guard let content = target.content(of: property, in: entries) else {
        try fill(property, of: part)
        continue
      }
      let isOfParts = reader.schema.holdsEmbedded(property.type)
      try give(isOfParts ? made(content, property) : content, to: property, of: part)
    }
    return .link(part)
  }

  private func give(
    _ content: PropertyContent, to property: PropertySchema, of object: ObjectID
  ) throws(StorageError) {
    guard case .value(let value) = content else {
      return try assign(content, to: property, of: object)
    }
    guard let column = reader.layout.column(property.id, of: object.classID) else { return }
    try begin(column, of: object, with: value)
  }

  private func fill(_ property: PropertySchema, of object: ObjectID) throws(StorageError) {
    if let content = property.newContent {
      try give(content, to: property, of: object)
    } else if property.type.shape == .single {
      try give(.value(.null), to: property, of: object)
    }
  }

  /// Adds or removes the index entry of each object.
  private func reindex(_ property: PropertySchema, of classID: ClassID) throws(StorageError) {
    guard let column = reader.layout.column(property.id, of: classID) else { return }
    for object in reader.objects(of: classID) {
      try checkInterruption()
      let value = column.indexed(reader.value(property.id, of: object))
      if property.isInIndex {
        try transaction.addToIndex(column.id, value, object.number)
      } else {
        try transaction.removeFromIndex(column.id, value, object.number)
      }
    }
  }

  /// Discards the log's entries for a property that was dropped or has another shape: no observer can use
  /// them.
  private func discardLosses(_ migration: ClassMigration) {
    let classID = migration.old.id
    for property in migration.dropped {
      schemaChange.losses.properties[classID, default: []].insert(property.id)
      log.changes[classID]?.properties[property.id] = nil
    }
    for change in migration.changed where change.isOfType {
      schemaChange.losses.properties[classID, default: []].insert(change.old.id)
      if change.old.type.shape != change.new.type.shape {
        log.changes[classID]?.properties[change.old.id] = nil
      }
    }
  }
}

extension ObjectReader {
  /// Returns every object of a class, in order of creation.
  package func objects(of classID: ClassID) -> some Sequence<ObjectID> {
    (0..<blockCount(of: classID)).lazy.flatMap { self.objects(of: classID, block: $0) }
  }

  func objects(of classID: ClassID, block: Int) -> [ObjectID] {
    var objects: [ObjectID] = []
    for bit in BlockBits(presence(of: classID, block: block)) {
      objects.append(ObjectID(classID, block * blockSize + bit))
    }
    return objects
  }

  /// Returns the content of a property, in the form in which it is assigned.
  func content(of property: PropertySchema, _ object: ObjectID) -> PropertyContent {
    switch property.type.shape {
    case .single: return .value(value(property.id, of: object))
    case .list, .set, .backlinks:
      var elements: [Value] = []
      forEachElement(property.id, of: object) {
        elements.append($0)
        return true
      }
      return .list(elements)
    case .map:
      var entries: MapEntries = [:]
      for index in 0..<listCount(property.id, of: object) {
        entries[mapKey(property.id, of: object, at: index)] = listElement(
          property.id, of: object, at: index)
      }
      return .map(entries)
    }
  }
}
