import HeraldModel
import HeraldObservation
import HeraldQuery
import HeraldStorage

extension OpenWrite {
  /// Returns the net effect of the write, with the values that deleted objects had in `before`.
  ///
  /// Throws `writeTooLarge` if these values need more than `limit` bytes of memory.
  func record(
    version: Int, before: any ObjectReader, limit: Int
  ) throws(HeraldError) -> CommitRecord {
    if let singleChange { return CommitRecord(version: version, single: singleChange) }
    var record = CommitRecord(version: version, schemaChanged: isSchemaChanged, losses: losses)
    record.classes = netChanges(before: before)
    for (classID, change) in record.classes where !change.deleted.isEmpty {
      var deleted: [ObjectNumber: DeletedObject] = [:]
      deleted.reserveCapacity(change.deleted.count)
      for number in change.deleted.keys {
        let object = DeletedObject(ObjectID(classID, number), in: before)
        memory.add(object.memory)
        if memory.bytes > limit { throw .writeTooLarge(limit: limit) }
        deleted[number] = object
      }
      record.classes[classID]?.deleted = deleted
    }
    if isSchemaChanged { record.former = formerSchema(before, &record) }
    return record
  }

  /// Reduces the mutation log to its net effect (observation 4.5).
  func netChanges(before: any ObjectReader) -> [ClassID: ClassChange] {
    NetChanges(self, before: before).classChanges()
  }
}
