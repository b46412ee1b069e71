import Herald

/// Maps the object numbers in the files of one import, for classes without a primary key: an object has
/// its number in the file as `$key`, and gets another in the store.
final class ImportedNumbers {
  /// The classes of the files. A link to one of them is deferred until every object exists.
  private let classes: Set<ClassID>
  private var objects: [ObjectID: ObjectID] = [:]
  /// Whether every record was read.
  var isComplete = false

  init(classes: Set<ClassID>) { self.classes = classes }

  /// Returns false if another object has the number.
  func note(_ object: ObjectID, as number: Int) -> Bool {
    objects.updateValue(object, forKey: ObjectID(object.classID, number)) == nil
  }

  /// The object with a key, in the files or else in the store; nil while it does not exist.
  func find(_ target: ClassSchema, _ key: Value, in store: DynamicStore) throws -> ObjectID? {
    if target.primaryKey == nil, classes.contains(target.id) {
      guard isComplete else { return nil }
      if case .int(let number) = key, let object = objects[ObjectID(target.id, number)] {
        return object
      }
    }
    return try store.object(target.name, key: key)?.id
  }
}
