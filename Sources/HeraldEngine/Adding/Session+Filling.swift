package import HeraldModel
import HeraldObservation
import HeraldStorage

// Objects that come from elsewhere with links among them in any order: first all of them without values, then their values,
// property by property.

extension Session {
  /// Creates objects without values in the open write, of a class with or without owners, and returns their numbers, which
  /// follow one another. Each of their properties is then to be filled once; until then it reads as nil, zero or empty. Errors:
  /// `notInWrite`; those of the storage.
  package func createUnfilled(
    _ classSchema: ClassSchema, count: Int
  ) throws -> Range<ObjectNumber> {
    let write = try openWrite()
    return try stored { () throws(StorageError) in
      try write.create(classSchema.id, count: count)
    }
  }

  /// Gives objects that were created without values, whose numbers follow one another, the first values of a property of
  /// single values, which must have its type. Errors: those of the storage.
  package func fill(
    _ property: PropertySchema, of classSchema: ClassSchema, from first: ObjectNumber,
    with values: ColumnContent
  ) throws {
    let write = try openWrite()
    try stored { () throws(StorageError) in
      guard let column = write.reader.layout.column(property.id, of: classSchema.id) else { return }
      try write.begin(column, from: first, with: values)
    }
  }

  /// The same of a property of links that has no index, for all objects at once: the numbers of the targets, 0 for none.
  package func fill(
    _ property: PropertySchema, of classSchema: ClassSchema, from first: ObjectNumber,
    linkingTo targets: [ObjectNumber]
  ) throws {
    let write = try openWrite()
    try stored { () throws(StorageError) in
      guard let column = write.reader.layout.column(property.id, of: classSchema.id),
        case .link(let target) = column.element
      else { return }
      try write.begin(column, from: first, linkingTo: targets, of: target)
    }
  }

  /// The objects whose primary key one with a smaller number has, too, by keys. O(objects of the class).
  package func objectsWithRepeatedKey(of classSchema: ClassSchema) throws -> [ObjectID] {
    guard let key = classSchema.primaryKey else { return [] }
    let write = try openWrite()
    return write.reader.repeated(key.id, of: classSchema.id).map { ObjectID(classSchema.id, $0) }
  }

  /// Gives an object that was created without values the content of a list, a set or a map, whose elements must have its
  /// type. Errors: those of the storage.
  package func fill(
    _ property: PropertySchema, of object: ObjectID, with content: PropertyContent
  ) throws {
    let write = try openWrite()
    try stored { () throws(StorageError) in
      try write.assign(content, to: property, of: object)
    }
  }
}
