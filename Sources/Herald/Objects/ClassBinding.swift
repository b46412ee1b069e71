import HeraldEngine
@_spi(Blocks) import HeraldModel

/// A class of the program, or one that it knows by its name alone, in one session of a store.
@usableFromInline
final class ClassBinding {
  let core: StoreCore
  let owner: SessionOwner
  let table: ObjectTable
  let classID: ClassID
  let columns: ResolvedColumns
  // What a read at a noted address needs, kept here so that it follows no reference.
  /// The thread that the store belongs to; 0 for another owner.
  let thread: UInt
  /// Not nil while a closure is being tracked on that thread.
  let tracked: TrackedThread.Word
  let addresses: UnsafeMutablePointer<ColumnAddresses>
  let epoch: UnsafeMutablePointer<UInt64>

  init(_ core: StoreCore, _ table: ObjectTable, _ classID: ClassID) {
    self.core = core
    owner = core.owner
    self.table = table
    self.classID = classID
    let stored =
      core.session.schema.classSchema(classID)
      .map { core.session.schema.definition(of: $0).properties } ?? []
    columns = ResolvedColumns(
      core.session, classID, slotCount: table.slotCount,
      table.properties.compactMap { property in
        guard let found = stored.first(where: { $0.name == property.name }) else {
          return (property.slot, property.name, .any)
        }
        // An earlier version may have had another property of that name.
        let isSame =
          found.element == property.definition.element && found.shape == property.definition.shape
        if core.session.isPast, !isSame { return nil }
        let type = core.session.schema.classSchema(classID)?
          .property(named: property.name)?.type.element
        return (property.slot, property.name, type ?? .any)
      })
    thread = owner.thread
    tracked = owner.tracked
    addresses = columns.addresses
    epoch = columns.epoch
  }

  deinit { core.forget(self) }

  /// Whether the store's class is still the one that the table was made of; always, for a class of the program.
  var isCurrent: Bool {
    guard let made = table.named?.classSchema else { return true }
    guard let present = core.session.schema.classSchema(classID) else { return true }
    return present.isIdentical(to: made) || present == made
  }

  func exists(_ number: ObjectNumber) -> Bool {
    !core.session.isClosed && columns.exists(number)
  }

  private var hasEpoch: Bool { epoch.pointee != ColumnAddresses.noEpoch }

  /// Makes an instance of an object, without a look at the store.
  @inline(__always)
  func instance(_ number: ObjectNumber) -> ObjectBase {
    let object = table.objectType.init()
    object._bindingReference = Unmanaged.passRetained(self)
    object._number = number
    if table.needsPreparing { table.prepare(object, self) }
    // In an epoch of addresses no transaction is open.
    if !hasEpoch, core.session.isInWrite { noteIfAdded(object) }
    return object
  }

  /// Notes the open write as the one that added an object.
  func noteAdded(_ object: ObjectBase) {
    if let known = core.lastAdded { object._extra = known } else { noteIfAdded(object) }
  }

  /// Notes the open write as the one that added an object, if it did.
  func noteIfAdded(_ object: ObjectBase) {
    guard let outcome = core.session.outcomeOfAdding(of: ObjectID(classID, object._number)) else {
      return
    }
    object._extra = core.addedInWrite(outcome)
  }
}
