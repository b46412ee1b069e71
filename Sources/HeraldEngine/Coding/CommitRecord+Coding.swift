import HeraldModel
import HeraldObservation

// entry   = byte version (6), integer seconds, integer nanoseconds, byte flags (1 message, 2 undo, 4 redo),
//           [string message], string session, count process, [count reverted version], record
// record  = byte version (6), count firstVersion, count lastVersion, byte schemaChanged, [previous],
//           count lost classes, count class*,
//           count classes with lost properties, (count class, count properties, count property*)*,
//           count classes, class*
// class   = count id, count ranges, (count lower, count upper)*,
//           count deleted, (count number, value key, count values, (count property, value)*,
//           count links, (count property, object)*, count collections, collection*)*,
//           count columns, (count property, count objects, (count number, value old)*)*,
//           count lists, (count property, count owners, (count number, change)*)*,
//           count sets, (count property, count owners, (count number, set)*)*,
//           count maps, (count property, count owners, (count number, map)*)*
//           count relinked, (count property, count targets, object*)*
// collection = count property, count elements, value*, count keys, string*
// set     = count inserted, value*, count removed, value*
// map     = count inserted, string*, count removed, (string, value)*, count modified, (string, value)*
// change  = count oldCount, byte differs, count pieces, piece*, count replaced, (count old, value)*,
//           count taken, (count old, value)*, count relinked, object*
// piece   = byte (1 old, 2 moved: added), count count, [count start, for old]
//
// previous  = byte flags (1 complete, 2 projections, 4 definitions), count classes, count class*,
//           data schema of the classes that differ, and of projections and definitions,
//           count classes, (count class, objects)*
// objects = what follows `count ranges, (…)*` in a class, up to its columns
//
// Values refer to nested collections by links. An entry or a record of another version is treated like one
// that was trimmed.

private let recordVersion: UInt8 = 6

extension CommitRecord {
  func encoded() -> [UInt8] {
    var writer = ByteWriter()
    writer.record(self)
    return writer.bytes
  }

  /// Decodes a record; nil for one in the format of another version.
  init?(encoded bytes: [UInt8]) throws(DamagedBytes) {
    var reader = ByteReader(bytes)
    guard let record = try reader.record() else { return nil }
    self = record
  }
}

extension ByteWriter {
  mutating func record(_ record: CommitRecord) {
    byte(recordVersion)
    count(record.firstVersion)
    count(record.lastVersion)
    byte((record.schemaChanged ? 1 : 0) | (record.previous == nil ? 0 : 2))
    if let previous = record.previous { self.previous(previous) }
    losses(record.losses)
    if let single = record.single { return self.single(single) }
    count(record.classes.count)
    for (classID, change) in record.classes {
      count(Int(classID.rawValue))
      self.change(change)
      relinked(change.relinked)
    }
  }

  /// Writes the only change of a commit as the change of each class is written, without its dictionaries.
  private mutating func single(_ single: SingleChange) {
    count(1)
    count(Int(single.classID.rawValue))
    switch single.kind {
    case .value(let property, let number, let old):
      // No object was created, and none deleted.
      byte(0)
      byte(0)
      count(1)
      count(Int(property.rawValue))
      count(1)
      count(number)
      value(old)
    case .created(let numbers):
      count(1)
      count(numbers.lowerBound)
      count(numbers.upperBound)
      // None was deleted, and no single value changed.
      byte(0)
      byte(0)
    }
    // Neither did a list, a set, a map, or a link.
    for _ in 0..<4 { byte(0) }
  }
}

extension ByteReader {
  mutating func record() throws(DamagedBytes) -> CommitRecord? {
    guard try byte() == recordVersion else { return nil }
    var record = CommitRecord(version: try count())
    record.lastVersion = try count()
    let flags = try byte()
    record.schemaChanged = flags & 1 != 0
    if flags & 2 != 0 { record.previous = try previous() }
    record.losses = try losses()
    for _ in 0..<(try length()) {
      let classID = try classID()
      var change = try change()
      change.relinked = try relinked()
      record.classes[classID] = change
    }
    return record
  }
}

extension ByteWriter {
  fileprivate mutating func losses(_ losses: SchemaLosses) {
    count(losses.classes.count)
    for classID in losses.classes { count(Int(classID.rawValue)) }
    count(losses.properties.count)
    for (classID, properties) in losses.properties {
      count(Int(classID.rawValue))
      count(properties.count)
      for property in properties { count(Int(property.rawValue)) }
    }
  }

  fileprivate mutating func relinked(_ relinked: [PropertyID: Set<ObjectID>]) {
    count(relinked.count)
    for (property, targets) in relinked {
      count(Int(property.rawValue))
      count(targets.count)
      for target in targets { object(target) }
    }
  }

  fileprivate mutating func change(_ change: ClassChange) {
    count(change.created.ranges.count)
    for range in change.created.ranges {
      count(range.lowerBound)
      count(range.upperBound)
    }
    objects(change.deleted)
    deltas(change, { $0.values }, { writer, old in writer.value(old) })
    deltas(change, { $0.lists }, { writer, list in writer.list(list) })
    deltas(
      change, { $0.sets },
      { writer, set in
        writer.values(set.inserted)
        writer.values(set.removed)
      })
    deltas(
      change, { $0.maps },
      { writer, map in
        writer.count(map.inserted.count)
        for key in map.inserted { writer.string(key) }
        writer.entries(map.removed)
        writer.entries(map.modified)
      })
  }

  mutating func objects(_ objects: [ObjectNumber: DeletedObject]) {
    count(objects.count)
    for (number, object) in objects {
      count(number)
      value(object.key)
      count(object.values.count)
      for entry in object.values.entries {
        count(Int(entry.property.rawValue))
        value(entry.value)
      }
      count(object.links.count)
      for link in object.links {
        count(Int(link.property.rawValue))
        self.object(link.target)
      }
      count(object.collections.count)
      for (property, contents) in object.collections {
        count(Int(property.rawValue))
        count(contents.elements.count)
        for element in contents.elements { value(element) }
        count(contents.keys.count)
        for key in contents.keys { string(key) }
      }
    }
  }

  /// Writes the changes of the properties of one shape; `entries` returns none for the others.
  private mutating func deltas<Change>(
    _ change: ClassChange, _ entries: (PropertyDelta) -> [ObjectNumber: Change],
    _ body: (inout ByteWriter, Change) -> Void
  ) {
    count(change.properties.values.count { !entries($0).isEmpty })
    for (property, delta) in change.properties {
      let entries = entries(delta)
      if entries.isEmpty { continue }
      count(Int(property.rawValue))
      count(entries.count)
      for (number, entry) in entries {
        count(number)
        body(&self, entry)
      }
    }
  }

  private mutating func values(_ values: Set<Value>) {
    count(values.count)
    for value in values { self.value(value) }
  }

  private mutating func entries(_ entries: MapEntries) {
    count(entries.count)
    for (key, value) in entries {
      string(key)
      self.value(value)
    }
  }

  private mutating func list(_ list: ListDelta) {
    count(list.oldCount)
    byte(list.differs ? 1 : 0)
    count(list.pieces.count)
    for piece in list.pieces {
      switch piece.source {
      case .old(let start):
        byte(1 | (piece.isMoved ? 2 : 0))
        count(piece.count)
        count(start)
      case .fresh:
        byte(piece.isMoved ? 2 : 0)
        count(piece.count)
      }
    }
    count(list.replaced.count)
    for (index, old) in list.replaced {
      count(index)
      value(old)
    }
    count(list.taken.count)
    for element in list.taken {
      count(element.oldIndex)
      value(element.value)
    }
    count(list.relinked.count)
    for target in list.relinked { object(target) }
  }
}

extension ByteReader {
  fileprivate mutating func losses() throws(DamagedBytes) -> SchemaLosses {
    var losses = SchemaLosses()
    for _ in 0..<(try length()) { losses.classes.insert(try classID()) }
    for _ in 0..<(try length()) {
      let classID = try classID()
      for _ in 0..<(try length()) {
        losses.properties[classID, default: []].insert(try propertyID())
      }
    }
    return losses
  }

  mutating func classID() throws(DamagedBytes) -> ClassID {
    guard let number = UInt32(exactly: try count()) else { throw DamagedBytes() }
    return ClassID(number)
  }

  fileprivate mutating func change() throws(DamagedBytes) -> ClassChange {
    var change = ClassChange()
    for _ in 0..<(try length()) {
      let lower = try count()
      let upper = try count()
      guard lower > 0, lower <= upper, upper < 1 << 48,
        lower > (change.created.ranges.last?.upperBound ?? 0)
      else { throw DamagedBytes() }
      change.created.insert(contentsOf: lower...upper)
    }
    change.deleted = try objects()
    change.properties = try deltas()
    return change
  }

  mutating func objects() throws(DamagedBytes) -> [ObjectNumber: DeletedObject] {
    var objects: [ObjectNumber: DeletedObject] = [:]
    let objectCount = try length()
    objects.reserveCapacity(min(objectCount, rest.count / 5))
    for _ in 0..<objectCount {
      let number = try count()
      var object = DeletedObject(key: try value())
      let valueCount = try length()
      object.values.reserveCapacity(min(valueCount, rest.count / 2))
      for _ in 0..<valueCount {
        let property = try propertyID()
        object.values[property] = try value()
      }
      for _ in 0..<(try length()) {
        object.links.append(OutgoingLink(property: try propertyID(), target: try self.object()))
      }
      for _ in 0..<(try length()) {
        let property = try propertyID()
        var contents = CollectionContents()
        for _ in 0..<(try length()) { contents.elements.append(try value()) }
        for _ in 0..<(try length()) { contents.keys.append(try string()) }
        object.collections[property] = contents
      }
      objects[number] = object
    }
    return objects
  }

  fileprivate mutating func relinked() throws(DamagedBytes) -> [PropertyID: Set<ObjectID>] {
    var relinked: [PropertyID: Set<ObjectID>] = [:]
    for _ in 0..<(try length()) {
      let property = try propertyID()
      for _ in 0..<(try length()) { relinked[property, default: []].insert(try object()) }
    }
    return relinked
  }

  private mutating func deltas() throws(DamagedBytes) -> [PropertyID: PropertyDelta] {
    let values = try byProperty { reader throws(DamagedBytes) in try reader.value() }
    let lists = try byProperty { reader throws(DamagedBytes) in try reader.list() }
    let sets = try byProperty { reader throws(DamagedBytes) in
      SetDelta(inserted: try reader.values(), removed: try reader.values())
    }
    let maps = try byProperty { reader throws(DamagedBytes) in
      var inserted = KeySet()
      for _ in 0..<(try reader.length()) { inserted.insert(try reader.string()) }
      return MapDelta(
        inserted: inserted, removed: try reader.entries(), modified: try reader.entries())
    }
    var deltas = values.mapValues(PropertyDelta.values)
    for (property, lists) in lists { deltas[property] = .lists(lists) }
    for (property, sets) in sets { deltas[property] = .sets(sets) }
    for (property, maps) in maps { deltas[property] = .maps(maps) }
    return deltas
  }

  private mutating func values() throws(DamagedBytes) -> Set<Value> {
    var values: Set<Value> = []
    for _ in 0..<(try length()) { values.insert(try value()) }
    return values
  }

  private mutating func entries() throws(DamagedBytes) -> MapEntries {
    var entries: MapEntries = [:]
    for _ in 0..<(try length()) {
      let key = try string()
      entries[key] = try value()
    }
    return entries
  }

  private mutating func propertyID() throws(DamagedBytes) -> PropertyID {
    guard let id = UInt32(exactly: try count()) else { throw DamagedBytes() }
    return PropertyID(id)
  }

  private mutating func byProperty<T>(
    _ body: (inout ByteReader) throws(DamagedBytes) -> T
  ) throws(DamagedBytes) -> [PropertyID: [ObjectNumber: T]] {
    var properties: [PropertyID: [ObjectNumber: T]] = [:]
    for _ in 0..<(try length()) {
      let property = try propertyID()
      var entries: [ObjectNumber: T] = [:]
      for _ in 0..<(try length()) {
        let number = try count()
        entries[number] = try body(&self)
      }
      properties[property] = entries
    }
    return properties
  }

  /// Reads an index in a list or a number of elements, limited so that sums cannot overflow.
  private mutating func row() throws(DamagedBytes) -> Int {
    let row = try count()
    guard row >= 0, row < 1 << 40 else { throw DamagedBytes() }
    return row
  }

  private mutating func list() throws(DamagedBytes) -> ListDelta {
    let oldCount = try row()
    let differs = try byte() == 1
    var pieces: [ListDelta.Piece] = []
    for _ in 0..<(try length()) {
      let flags = try byte()
      let pieceCount = try row()
      pieces.append(
        ListDelta.Piece(
          source: flags & 1 != 0 ? .old(try row()) : .fresh, count: pieceCount,
          isMoved: flags & 2 != 0))
    }
    var list = ListDelta(oldCount: oldCount, pieces: pieces, differs: differs)
    for _ in 0..<(try length()) { list.replaced[try row()] = try value() }
    for _ in 0..<(try length()) {
      list.taken.append(ListDelta.RemovedElement(oldIndex: try row(), value: try value()))
    }
    for _ in 0..<(try length()) { list.relinked.insert(try object()) }
    return list
  }
}
