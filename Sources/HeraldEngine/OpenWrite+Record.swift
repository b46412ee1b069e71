import HeraldModel
import HeraldObservation
import HeraldQuery

extension OpenWrite {
  /// Folds the mutation log to its net effect (observation 4.5): what was set back is no change.
  func record(version: Int, before: any ObjectReader) -> CommitRecord {
    var record = CommitRecord(version: version, schemaChanged: isSchemaChanged, losses: losses)
    for (classID, change) in log {
      let net = self.net(change, of: classID, before: before)
      if !net.isNothing { record.classes[classID] = net }
    }
    return record
  }

  private func net(
    _ change: ClassChange, of classID: ClassID, before: any ObjectReader
  ) -> ClassChange {
    var net = change
    for number in change.deleted.keys {
      net.deleted[number] = DeletedObject(ObjectID(classID, number), in: before)
    }
    for (property, olds) in change.columns {
      func isUnchanged(_ number: ObjectNumber, _ old: Value) -> Bool {
        reader.value(property, of: ObjectID(classID, number)) == old
      }
      guard olds.contains(where: isUnchanged) else { continue }
      let left = olds.filter { !isUnchanged($0, $1) }
      net.columns[property] = left.isEmpty ? nil : left
    }
    for (property, lists) in change.lists {
      var left: [ObjectNumber: ListChange] = [:]
      for (owner, var list) in lists where !list.isEmpty {
        let object = ObjectID(classID, owner)
        list.settle(
          old: { before.listElement(property, of: object, at: $0) },
          new: { reader.listElement(property, of: object, at: $0) })
        left[owner] = list
      }
      net.lists[property] = left.isEmpty ? nil : left
    }
    if !change.sets.isEmpty {
      net.sets = change.sets.mapValues { $0.filter { !$0.value.isEmpty } }.filter {
        !$0.value.isEmpty
      }
    }
    if !change.maps.isEmpty {
      net.maps = change.maps.mapValues { $0.filter { !$0.value.isEmpty } }.filter {
        !$0.value.isEmpty
      }
    }
    for (property, insides) in change.insides {
      let left = insides.filter { number, inside in
        inside.isToldOfEqualValue || net.columns[property]?[number] != nil
          || net.lists[property]?[number] != nil || net.maps[property]?[number] != nil
      }
      net.insides[property] = left.isEmpty ? nil : left
    }
    return net
  }
}

extension ClassChange {
  /// Whether nothing is left of the change.
  fileprivate var isNothing: Bool {
    created.isEmpty && deleted.isEmpty && columns.isEmpty && lists.isEmpty && sets.isEmpty
      && maps.isEmpty && insides.isEmpty
  }
}
