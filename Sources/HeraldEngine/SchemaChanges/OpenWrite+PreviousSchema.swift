import HeraldModel
import HeraldObservation
import HeraldQuery

/// The memory of lost values, in bytes, up to which a record keeps them. Above it the versions before the
/// schema changed cannot be read any more.
private let memoryOfLostValues = 64 << 20

extension OpenWrite {
  /// Returns what the write replaced of the schema, and the values of the properties that it dropped or
  /// converted; adds the collections nested in them to the record's deleted objects. O(objects of classes that
  /// lost a property).
  func previousSchema(_ before: any ObjectReader, _ record: inout CommitRecord) -> PreviousSchema {
    let difference = SchemaDifference(from: reader.layout.schema, to: before.schema)
    let references = before.references
    var lost: [ClassID: [ObjectNumber: DeletedObject]] = [:]
    var nested: [ObjectID] = []
    var memory = 0
    let losses = schemaChange.losses
    for (classID, properties) in losses.properties where !losses.classes.contains(classID) {
      let lostProperties = properties.compactMap {
        before.schema.classSchema(classID)?.property($0)
      }
      for block in 0..<before.blockCount(of: classID) {
        for bit in BlockBits(before.presence(of: classID, block: block)) {
          let object = ObjectID(classID, block * blockSize + bit)
          let image = DeletedObject(lostProperties, of: object, references, &nested)
          memory += DeletedObject.memory + image.memory
          lost[classID, default: [:]][object.number] = image
        }
        if memory > memoryOfLostValues {
          return PreviousSchema(difference: difference, objects: [:], isComplete: false)
        }
      }
    }
    while let collection = nested.popLast() {
      let image = DeletedObject(
        ClassSchema.ofNested(collection.classID)?.properties ?? [], of: collection, references,
        &nested)
      record.classes[collection.classID, default: ClassChange()].deleted[collection.number] = image
    }
    return PreviousSchema(difference: difference, objects: lost, isComplete: true)
  }
}

extension DeletedObject {
  /// Captures some properties of an object, and adds the nested collections in them to `nested`.
  fileprivate init(
    _ properties: [PropertySchema], of object: ObjectID, _ references: any ObjectReader,
    _ nested: inout [ObjectID]
  ) {
    self.init(key: .null)
    for property in properties {
      switch property.type.shape {
      case .single:
        let value = references.value(property.id, of: object)
        if value.isNull { continue }
        values[property.id] = value
        if let collection = value.nestedCollection { nested.append(collection) }
      case .list, .set, .map:
        let contents = references.contents(property.id, property.type.shape, of: object)
        if contents.elements.isEmpty { continue }
        collections[property.id] = contents
        nested += contents.elements.compactMap(\.nestedCollection)
      case .backlinks: break
      }
    }
  }
}
