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
    return record
  }

  /// Reduces the mutation log to its net effect (observation 4.5): a value that was set back is no change.
  func netChanges(before: any ObjectReader) -> [ClassID: ClassChange] {
    var changes: [ClassID: ClassChange] = [:]
    for (classID, change) in log {
      let net = self.net(change, of: classID, before: before)
      if !net.isEmpty { changes[classID] = net }
    }
    return changes
  }

  private func net(
    _ change: ClassChange, of classID: ClassID, before: any ObjectReader
  ) -> ClassChange {
    var net = change
    net.properties = [:]
    for (property, delta) in change.properties {
      let remaining = self.net(delta, property, of: classID, before: before)
      if !remaining.isEmpty { net.properties[property] = remaining }
    }
    for (property, insides) in change.insides {
      let remaining = insides.filter { number, inside in
        inside.reportsEqualValue || net[property].contains(number)
      }
      net.insides[property] = remaining.isEmpty ? nil : remaining
    }
    return net
  }
  private func net(
    _ delta: PropertyDelta, _ property: PropertyID, of classID: ClassID, before: any ObjectReader
  ) -> PropertyDelta {
    switch delta {
    case .values(let values):
      func isUnchanged(_ number: ObjectNumber, _ old: Value) -> Bool {
        reader.value(property, of: ObjectID(classID, number)) == old
      }
      guard values.contains(where: isUnchanged) else { return delta }
      return .values(values.filter { !isUnchanged($0, $1) })
    case .lists(let lists):
      var changed: [ObjectNumber: ListChange] = [:]
      for (owner, var list) in lists where !list.isEmpty {
        let object = ObjectID(classID, owner)
        list.settle(
          old: { before.listElement(property, of: object, at: $0) },
          new: { reader.listElement(property, of: object, at: $0) })
        changed[owner] = list
      }
      return .lists(changed)
    case .sets(let sets): return .sets(sets.filter { !$0.value.isEmpty })
    case .maps(let maps): return .maps(maps.filter { !$0.value.isEmpty })
    }
  }
}
