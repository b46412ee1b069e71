package import HeraldModel
import HeraldObservation
import HeraldQuery
package import HeraldStorage

// Stage 2 of a commit: each validated change is applied to blocks, links and indexes, and recorded in the
// log.

extension OpenWrite {
  func create(_ classID: ClassID) throws(StorageError) -> ObjectID {
    hasChanged = true
    let object = ObjectID(classID, try transaction.create(classID.rawValue))
    log.create(object)
    return object
  }

  /// Creates objects whose numbers follow one another.
  func create(_ classID: ClassID, count: Int) throws(StorageError) -> Range<ObjectNumber> {
    hasChanged = true
    let numbers = try transaction.create(classID.rawValue, count: count)
    log.create(classID, numbers.lowerBound...numbers.upperBound - 1)
    return numbers
  }

  /// Sets the first value of a property of an object that was just created.
  package func begin(
    _ column: Layout.Column, of object: ObjectID, with value: Value
  ) throws(StorageError) {
    if case .null = value {
      // Only an index has an entry for nil.
      guard column.isIndexed else { return }
    } else {
      try write(stored(value, in: column), column, object.number)
    }
    if case .link(let target) = value, !column.isAny {
      return try transaction.beginLink(
        from: object.number, through: column.id, toClass: target.classID.rawValue,
        number: target.number)
    }
    if !column.isPlain { try track(value, column, object) }
  }

  /// Sets the first values of a property of links of objects that were just created, whose numbers follow one another: the
  /// numbers of the targets, 0 for none. The reverse links are added in the order of the targets, next to each other in the
  /// tree.
  func begin(
    _ column: Layout.Column, from first: ObjectNumber, linkingTo targets: [ObjectNumber],
    of classID: ClassID
  ) throws(StorageError) {
    try transaction.beginWords(column.id, .integers, from: first, targets.count) { index in
      targets[index] == 0 ? nil : targets[index]
    }
    let order = targets.indices.filter { targets[$0] != 0 }
      .sorted { (targets[$0], $0) < (targets[$1], $1) }
    for index in order {
      try transaction.beginLink(
        from: first + index, through: column.id, toClass: classID.rawValue, number: targets[index])
    }
  }

  /// Sets the first value of a property of an object that was just created, if it is an integer, or another plain number
  /// or string in a column without index; returns false for others.
  @inline(__always)
  func begin(
    _ column: Layout.Column, of object: ObjectID, withPlain content: PropertyContent
  ) throws(StorageError) -> Bool {
    switch (content, column.kind) {
    case (.value(.int(let value)), .integers):
      try transaction.setInteger(column.id, object.number, value)
      if column.isIndexed { try transaction.addToIndex(column.id, value, object.number) }
    case (_, _) where column.isIndexed: return false
    case (.value(.double(let value)), .doubles):
      try transaction.setDouble(column.id, object.number, value)
    case (.value(.string(let text)), .bytes) where column.isString:
      try text.utf8.span.bytes.withUnsafeBytes { bytes throws(StorageError) in
        try transaction.beginBytes(column.id, object.number, bytes)
      }
    case (_, _): return false
    }
    return true
  }

  /// Replaces the whole content of a collection.
  func assign(
    _ content: PropertyContent, to property: PropertySchema, of object: ObjectID
  ) throws(StorageError) {
    switch content {
    case .value: break
    case .list(let values) where property.type.shape == .set:
      try assign(values, toSet: property, of: object)
    case .list(let values): try assign(values, to: property, of: object)
    case .map(let entries): try assign(entries, toMap: property, of: object)
    }
  }

  /// Sets a single-valued property.
  func set(
    _ column: Layout.Column, of object: ObjectID, to value: Value
  ) throws(StorageError) {
    hasChanged = true
    let held = Held(self, column) { $0.value(column, object.number) }
    let old = held.whole
    if old == value { return reportValue(column, of: object, old: old, new: value) }
    let value = restored(value, column.property, object) { $0.values[object.number] }
    if !log.isCreated(object) {
      log.change(object, column.property, from: held.stored, isAny: column.isAny)
    }
    if !column.isPlain { try untrack(old, column, object) }
    try replace(held.stored, at: .property(object, column.property))
    try write(stored(value, in: column), column, object.number)
    if !column.isPlain {
      try track(value, column, object)
      try deleteEmbedded(in: old)
    }
    reportValue(column, of: object, old: old, new: value)
  }

  private func write(
    _ value: Value, _ column: Layout.Column, _ number: ObjectNumber
  ) throws(StorageError) {
    let id = column.id
    switch (value, column.kind) {
    case (.int(let value), .integers): try transaction.setInteger(id, number, value)
    case (.bool(let value), .integers):
      try transaction.setInteger(id, number, value ? 1 : 0)
    case (.link(let target), .integers):
      try transaction.setInteger(id, number, target.number)
    case (.double(let value), .doubles): try transaction.setDouble(id, number, value)
    case (.string(let text), .bytes) where column.isString:
      try text.utf8.span.bytes.withUnsafeBytes { bytes throws(StorageError) in
        try transaction.setBytes(id, number, bytes)
      }
    case (.uuid(let value), .bytes) where !column.isAny:
      let words = (value.bits.high.bigEndian, value.bits.low.bigEndian)
      try withUnsafeBytes(of: words) { bytes throws(StorageError) in
        try transaction.setBytes(id, number, bytes)
      }
    case (_, .integers), (_, .doubles), (_, .floats), (_, .dates), (_, .bytes):
      try transaction.set(id, column.kind, number, column.stored(value))
    }
  }

  /// Removes the index entry and reverse links of a value that is replaced or deleted.
  func untrack(
    _ old: Value, _ column: Layout.Column, _ object: ObjectID
  ) throws(StorageError) {
    if column.isIndexed {
      try transaction.removeFromIndex(column.id, column.indexed(old), object.number)
    }
    try removeLinks(in: old, column, object)
  }

  private func track(
    _ value: Value, _ column: Layout.Column, _ object: ObjectID
  ) throws(StorageError) {
    if column.isIndexed {
      try transaction.addToIndex(column.id, column.indexed(value), object.number)
    }
    try addLinks(in: value, column, object)
  }

  package func addLinks(
    in value: Value, _ column: Layout.Column, _ object: ObjectID
  ) throws(StorageError) {
    try changeLinks(in: value, column, object, by: 1)
  }

  func removeLinks(
    in value: Value, _ column: Layout.Column, _ object: ObjectID
  ) throws(StorageError) {
    try changeLinks(in: value, column, object, by: -1)
  }

  /// Adds the links of a value, or removes them if `step` is negative.
  private func changeLinks(
    in value: Value, _ column: Layout.Column, _ object: ObjectID, by step: Int
  ) throws(StorageError) {
    let targets = value.links
    if targets.isEmpty { return }
    let (column, object) = holder(column, object)
    for target in targets {
      let (classID, number) = (target.classID.rawValue, target.number)
      if step > 0 {
        try transaction.addLink(
          from: object.number, through: column.id, toClass: classID, number: number)
      } else {
        try transaction.removeLink(
          from: object.number, through: column.id, toClass: classID, number: number)
      }
    }
    if column.isAny { log.count(targets, step, column.property, of: object) }
  }

  /// Returns the key under which the links of a property, or of a nested collection, are kept.
  private func holder(
    _ column: Layout.Column, _ object: ObjectID
  ) -> (Layout.Column, ObjectID) {
    guard object.classID.isNested, let nestedRoot else { return (column, object) }
    return nestedRoot
  }

  /// Deletes the embedded objects of a value that is replaced or deleted.
  func deleteEmbedded(in value: Value) throws(StorageError) {
    for target in value.links where !deleting.contains(target) {
      guard let classSchema = reader.schema.classSchema(target.classID), classSchema.isEmbedded,
        reader.exists(target)
      else { continue }
      try delete(target, classSchema)
    }
  }
}

extension ElementType {
  package var mayHoldLinks: Bool {
    switch self {
    case .link, .any: true
    case .bool, .int, .float, .double, .string, .data, .date, .decimal, .uuid, .objectID: false
    }
  }
}

extension Value {
  /// The targets of the value's links, once per link; a reference counts as one.
  package var links: [ObjectID] {
    switch self {
    case .link(let target): return [target]
    case .list(let values): return values.flatMap(\.links)
    case .map(let entries): return entries.values.flatMap(\.links)
    case .null, .bool, .int, .float, .double, .string, .data, .date, .decimal, .uuid, .objectID:
      return []
    }
  }
}
