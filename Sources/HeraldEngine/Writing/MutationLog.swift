import HeraldModel
import HeraldObservation
import HeraldStorage

/// What an open write has changed so far, already in the form of its record: old values are those from before the write.
///
/// The change of one value, or objects created one after another, which is mostly all of a write, is recorded when
/// something else follows. A class for the reason of `SessionWriting`.
final class MutationLog {
  private enum Unrecorded {
    case none
    case value(ObjectID, PropertyID, old: Value)
    /// Objects with consecutive numbers.
    case created(ClassID, ClosedRange<ObjectNumber>)
  }

  @exclusivity(unchecked) private var recorded: [ClassID: ClassChange] = [:]
  @exclusivity(unchecked) private var unrecorded = Unrecorded.none
  /// The estimated memory of the mutations.
  @exclusivity(unchecked) var memory = WriteMemory()
  /// Whether a value was changed twice, so that it may equal the original.
  @exclusivity(unchecked) private(set) var mayBeSetBack = false
  /// For properties of type `any`: how many more links to each object they have than before the write.
  @exclusivity(unchecked) private(set) var linkBalance: [ObjectID: [PropertyID: [ObjectID: Int]]] =
    [:]
  /// Whether nothing is recorded, since objects are being migrated to another schema or recovered: then each is as if the
  /// write had created it.
  @exclusivity(unchecked) var isPaused = false

  /// Whether nothing was recorded, apart from what `restart` forgets.
  var isPlain: Bool { recorded.isEmpty && linkBalance.isEmpty && !isPaused }

  /// Forgets what a write has changed that was plain.
  func restart() {
    unrecorded = .none
    memory = WriteMemory()
    mayBeSetBack = false
  }

  /// All mutations, by class.
  var changes: [ClassID: ClassChange] {
    get {
      recordRest()
      return recorded
    }
    _modify {
      recordRest()
      yield &recorded
    }
  }

  /// The change of a write that has changed one value, once, or that only added objects; nil for others.
  var singleChange: SingleChange? {
    guard recorded.isEmpty, linkBalance.isEmpty else { return nil }
    switch unrecorded {
    case .none: return nil
    case .created(let classID, let numbers): return SingleChange(classID, .created(numbers))
    case .value(let object, let property, let old):
      if mayBeSetBack { return nil }
      return SingleChange(object.classID, .value(property, object.number, old: old))
    }
  }

  /// Returns whether the write has created an object, so that its changes need not be recorded.
  func isCreated(_ object: ObjectID) -> Bool {
    if isPaused { return true }
    if case .created(let classID, let numbers) = unrecorded, classID == object.classID,
      numbers.contains(object.number)
    {
      return true
    }
    if recorded.isEmpty { return false }
    return recorded[object.classID]?.created.contains(object.number) ?? false
  }
}

// MARK: Recording

extension MutationLog {
  func create(_ object: ObjectID) {
    create(object.classID, object.number...object.number)
  }

  func create(_ classID: ClassID, _ numbers: ClosedRange<ObjectNumber>) {
    if case .created(let lastClass, let earlier) = unrecorded, lastClass == classID,
      earlier.upperBound + 1 == numbers.lowerBound
    {
      unrecorded = .created(classID, earlier.lowerBound...numbers.upperBound)
    } else {
      recordRest()
      unrecorded = .created(classID, numbers)
    }
  }

  /// Records the previous value of an old object's property, unless an earlier one is recorded already. `isAny`: whether
  /// the property has the type `any`, whose values can be changed further in their place.
  func change(_ object: ObjectID, _ property: PropertyID, from old: Value, isAny: Bool) {
    if recorded.isEmpty, !isAny {
      switch unrecorded {
      case .none:
        unrecorded = .value(object, property, old: old)
        return memory.add(old.memoryOfRecord)
      case .value(let lastObject, let lastProperty, old: _)
      where lastObject == object && lastProperty == property:
        mayBeSetBack = true
        return
      case .value, .created: break
      }
    }
    recordRest()
    if recorded[object.classID, default: ClassChange()].note(old, property, of: object.number) {
      memory.add(old.memoryOfRecord)
    } else {
      mayBeSetBack = true
    }
  }

  private func recordRest() {
    let rest = unrecorded
    unrecorded = .none
    switch rest {
    case .none: break
    case .value(let object, let property, let old):
      _ = recorded[object.classID, default: ClassChange()].note(old, property, of: object.number)
    case .created(let classID, let numbers):
      recorded[classID, default: ClassChange()].created.insert(contentsOf: numbers)
    }
  }

  /// Counts the links of an old object's property that are added, or removed.
  func count(
    _ targets: [ObjectID], _ step: Int, _ property: PropertyID, of object: ObjectID
  ) {
    if isCreated(object) { return }
    for target in targets {
      linkBalance[object, default: [:]][property, default: [:]][target, default: 0] += step
    }
  }

  func delete(_ object: ObjectID) {
    delete(CollectionOfOne(object.number), of: object.classID)
  }

  /// Removes objects: nothing is left of new ones, and only the deletion of old ones, whose previous values are read when
  /// the write ends.
  func delete(_ numbers: some Collection<ObjectNumber>, of classID: ClassID) {
    var change = changes.removeValue(forKey: classID) ?? ClassChange()
    if change.created.isEmpty {
      change.deleted.reserveCapacity(change.deleted.count + numbers.count)
    }
    for number in numbers {
      if !linkBalance.isEmpty { linkBalance[ObjectID(classID, number)] = nil }
      let isNew = change.created.contains(number)
      if isNew { change.created.remove(number) }
      if !change.properties.isEmpty, !isNew || isPaused { change.forgetProperties(of: number) }
      if isNew || isPaused { continue }
      memory.add(DeletedObject.memory)
      change.deleted[number] = DeletedObject(key: .null)
    }
    changes[classID] = change
  }
}
