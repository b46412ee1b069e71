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
    for classID in Array(record.classes.keys) {
      guard var change = record.classes.removeValue(forKey: classID) else { continue }
      let images = BeforeImages(of: classID, in: before)
      // In order, block by block: in the order of the dictionary almost every read would miss the cache.
      for number in change.deleted.keys.sorted() {
        let object = images.image(of: number)
        memory.add(object.memory)
        if memory.bytes > limit { throw .writeTooLarge(limit: limit) }
        change.deleted[number] = object
      }
      record.classes[classID] = change
    }
    if isSchemaChanged { record.former = formerSchema(before, &record) }
    return record
  }

  /// Reduces the mutation log to its net effect (observation 4.5).
  func netChanges(before: any ObjectReader) -> [ClassID: ClassChange] {
    NetChanges(self, before: before).classChanges()
  }
}
