import HeraldEngine
import HeraldModel
import HeraldQuery
import HeraldStorage

extension StoreRepair {
  /// Creates every object of a class that can still be found, with its primary key.
  func keepObjects(of classSchema: ClassSchema) throws(StorageError) {
    guard let form = layout.form(classSchema.id) else { return }
    var found = 0
    var isUncertain = false
    for block in salvage.blocks(of: classSchema.id.rawValue) {
      let presence = presence(form, block)
      found += presence.mask.bitCount
      if !presence.isCertain { isUncertain = true }
      try keep(presence.mask, doubtful: presence.doubtful, form, block)
    }
    switch salvage.classRecord(classSchema.id.rawValue) {
    case .found(let record, nil):
      if record.count > found {
        noteLoss(classSchema.name, "\(record.count - found) objects of it were lost")
      }
    case .absent where !isUncertain: break
    case .found, .absent, .lost:
      noteLoss(classSchema.name, "objects of it may have been lost: their number cannot be read")
    }
  }

  /// The objects of a block that exist.
  private struct Presence {
    var mask: BlockMask
    /// The objects that may have been deleted since, and the version that had them.
    var doubtful: (mask: BlockMask, version: Int)?
    var isCertain = true
  }

  private func presence(_ form: ClassForm, _ block: Int) -> Presence {
    var presence = Presence(mask: .zero)
    switch salvage.presence(form.schema.id.rawValue, block: block) {
    case .found(let mask, nil): presence.mask = mask
    case .absent: break
    case .lost: presence = inferred(form, block, old: nil)
    case .found(let mask, let version?):
      presence = inferred(form, block, old: (mask, version))
    }
    // There is no object 0.
    if block == 0 { presence.mask.remove(0) }
    return presence
  }

  /// Infers the objects of a block from their values: a deleted object has none.
  private func inferred(
    _ form: ClassForm, _ block: Int, old: (mask: BlockMask, version: Int)?
  ) -> Presence {
    var presence = Presence(mask: .zero, isCertain: false)
    for column in form.columns where column.isSingle {
      switch salvage.block(column.id, column.kind, block) {
      case .found(let values, nil):
        if !column.isOptional { return Presence(mask: values.known) }
        presence.mask |= values.known
      case .absent:
        if !column.isOptional { return Presence(mask: .zero) }
      case .found, .lost: break
      }
    }
    if let old {
      presence.doubtful = (old.mask & ~presence.mask, old.version)
      presence.mask |= old.mask
    }
    return presence
  }

  private func keep(
    _ mask: BlockMask, doubtful: (mask: BlockMask, version: Int)?, _ form: ClassForm, _ block: Int
  ) throws(StorageError) {
    if mask.isEmpty { return }
    let classID = form.schema.id
    let key = form.schema.primaryKey.flatMap { form.column($0.id) }
    let keys = key.map { salvage.block($0.id, $0.kind, block) }
    kept[classID, default: [:]][block] = .zero
    for bit in BlockBits(mask) {
      let object = ObjectID(classID, block * blockSize + bit)
      let write = try write(64)
      if let key, let keys {
        let cell = cell(key, keys, object.number)
        guard let value = cell.value else {
          noteLoss(object, nil, "its primary key was lost")
          continue
        }
        if !salvage.isExact, isTaken(value, key, write) {
          noteLoss(object, nil, "another object has its primary key \(value.literal { "\($0)" })")
          continue
        }
        try write.transaction.create(classID.rawValue, number: object.number)
        try write.begin(key, of: object, with: value)
        kept[classID]?[block]?.insert(bit)
        if let version = cell.version {
          noteLoss(object, form.schema.primaryKey?.name, Self.isOld(version))
        }
      } else {
        try write.transaction.create(classID.rawValue, number: object.number)
        kept[classID]?[block]?.insert(bit)
      }
      if let doubtful, doubtful.mask.contains(bit) {
        let version = doubtful.version
        noteLoss(object, nil, "it existed in version \(version), and may have been deleted since")
      }
    }
  }

  private func isTaken(_ key: Value, _ column: Layout.Column, _ write: OpenWrite) -> Bool {
    let classID = ClassID(column.id.classID)
    return write.reader.indexed(column.property, of: classID, equals: key)?.isEmpty == false
  }
}

extension StoreRepair {
  /// Deletes the embedded objects that have no owner, and those that they hold.
  func removeUnownedObjects() throws(StorageError) {
    let embedded = layout.schema.classes.filter(\.isEmbedded)
    for classSchema in embedded {
      for object in keptObjects(of: classSchema.id) where !owned.contains(object) {
        let write = try write(256)
        if write.reader.exists(object) { try write.delete(object, classSchema) }
      }
    }
    for classSchema in embedded {
      for object in keptObjects(of: classSchema.id) {
        if try write(0).reader.exists(object) { continue }
        noteLoss(object, nil, "its owner was lost")
      }
    }
  }

  func keptObjects(of classID: ClassID) -> [ObjectID] {
    (kept[classID] ?? [:]).sorted { $0.key < $1.key }.flatMap { block, mask in
      BlockBits(mask).map { ObjectID(classID, block * blockSize + $0) }
    }
  }
}
