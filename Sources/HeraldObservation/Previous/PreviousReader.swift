package import HeraldModel
package import HeraldQuery
import Synchronization

/// Reads the version before a record by undoing the record on `base`, which is at its last version. Readers
/// may be stacked.
///
/// `@unchecked Sendable`: every thread may use one whose base every thread may use.
///
/// What the record did not change costs as much as in `base`, its indexes and blocks included; a changed
/// collection costs O(n) once.
package final class PreviousReader: PlainReader, @unchecked Sendable {
  /// At the record's last version, with references to nested collections.
  let base: any ObjectReader
  let record: CommitRecord
  package let schema: Schema
  /// The same reader with references to nested collections; nil for itself.
  private let referring: PreviousReader?
  private let unknown = Atomic(false)
  private let contents = Mutex<[ObjectProperty: PreviousContents]>([:])
  /// The objects whose values are not those of `base`, by property and block.
  private let changed = Mutex<[ColumnKey: [Int: BlockMask]]>([:])

  /// The previous links of changed objects, by property.
  let links = Mutex<[ColumnKey: ChangedLinks]>([:])

  struct ColumnKey: Hashable {
    let classID: ClassID
    let property: PropertyID
  }

  /// The links of the objects of one property that the record created, deleted or changed.
  struct ChangedLinks {
    var origins: Set<ObjectNumber> = []
    /// The previous links by their target: their origins, each with the number of its links.
    var previous: [ObjectID: [ObjectNumber: Int]] = [:]
    /// Whether the record lacks some of the previous links.
    var isUnsure = false
  }

  package convenience init(_ base: any ObjectReader, before record: CommitRecord) {
    let base = base.references
    let schema = record.previous?.difference.applied(to: base.schema) ?? base.schema
    self.init(
      base, record, schema, referring: PreviousReader(base, record, schema, referring: nil))
  }

  private init(
    _ base: any ObjectReader, _ record: CommitRecord, _ schema: Schema, referring: PreviousReader?
  ) {
    self.base = base
    self.record = record
    self.schema = schema
    self.referring = referring
  }

  package var references: any ObjectReader { referring ?? self }

  /// Whether a read since this was set to false returned a value that the record lacks: an element of a
  /// cleared list, or a property that was lost.
  var hasReadUnknownValue: Bool {
    get { unknown.load(ordering: .relaxed) }
    set { unknown.store(newValue, ordering: .relaxed) }
  }

  /// Returns a value of the record, or of `base`, as it was; with references if it is to have them.
  func previous(_ value: Value) -> Value {
    guard let referring, value.nestedCollection != nil else { return value }
    let whole = value.whole { referring.nestedContents($0) }
    if referring.hasReadUnknownValue { hasReadUnknownValue = true }
    return whole
  }

  /// Returns the contents of a collection that are kept, or else those that `find` returns.
  func contents(
    _ key: ObjectProperty, _ find: () -> PreviousContents?
  ) -> PreviousContents? {
    if let known = contents.withLock({ $0[key] }) { return known }
    let found = find()
    contents.withLock { $0[key] = found }
    return found
  }

  func change(_ object: ObjectID) -> ClassChange? { record.classes[object.classID] }

  func isLost(_ property: PropertyID, of classID: ClassID) -> Bool {
    record.schemaChanged && record.losses.contains(property, of: classID)
  }

  /// The object as it was, as far as the record has it as a whole: deleted, or with a property that was lost.
  func previousObject(_ object: ObjectID, _ property: PropertyID) -> DeletedObject? {
    if let deleted = change(object)?.deleted[object.number] { return deleted }
    guard isLost(property, of: object.classID) else { return nil }
    guard let previous = record.previous, previous.isComplete else {
      hasReadUnknownValue = true
      return nil
    }
    return previous.objects[object.classID]?[object.number] ?? DeletedObject(key: .null)
  }

  package func exists(_ object: ObjectID) -> Bool {
    guard let change = change(object) else { return base.exists(object) }
    if change.deleted[object.number] != nil { return true }
    return !change.created.contains(object.number) && base.exists(object)
  }

  package func value(_ property: PropertyID, of object: ObjectID) -> Value {
    if let held = previousObject(object, property) {
      let key = schema.classSchema(object.classID)?.primaryKey
      return previous(held.values[property] ?? (key?.id == property ? held.key : .null))
    }
    guard let change = change(object) else { return previous(base.value(property, of: object)) }
    if change.created.contains(object.number) { return .null }
    return previous(change[property].values[object.number] ?? base.value(property, of: object))
  }

  package var isInterrupted: Bool { base.isInterrupted }

  package func withInterruption<R>(
    _ interruption: Interruption?, _ body: () throws -> R
  ) rethrows -> R { try base.withInterruption(interruption, body) }

  // MARK: The objects of a class

  package func objectCount(of classID: ClassID) -> Int {
    let change = record.classes[classID]
    return base.objectCount(of: classID) - (change?.created.count ?? 0)
      + (change?.deleted.count ?? 0)
  }

  package func blockCount(of classID: ClassID) -> Int {
    let last = record.classes[classID]?.deleted.keys.max() ?? 0
    return max(base.blockCount(of: classID), last / blockSize + 1)
  }

  package func presence(of classID: ClassID, block: Int) -> BlockMask {
    var mask =
      block < base.blockCount(of: classID) ? base.presence(of: classID, block: block) : .zero
    guard let change = record.classes[classID] else { return mask }
    mask &= ~change.created.mask(ofBlock: block)
    return mask | deleted(classID, block)
  }

  /// Returns every object of a class. O(objects).
  func numbers(of classID: ClassID) -> [ObjectNumber] {
    (0..<blockCount(of: classID)).flatMap { block in
      BlockBits(presence(of: classID, block: block)).map { block * blockSize + $0 }
    }
  }

  private func deleted(_ classID: ClassID, _ block: Int) -> BlockMask {
    // No property has the number 0.
    masks(classID, PropertyID(0))[block] ?? .zero
  }

  /// The objects of a block whose value of a property is not that of `base`; nil where all may be others.
  func changed(_ property: PropertyID, of classID: ClassID, block: Int) -> BlockMask? {
    guard block < base.blockCount(of: classID), !isLost(property, of: classID) else { return nil }
    guard let change = record.classes[classID] else { return .zero }
    return deleted(classID, block) | change.created.mask(ofBlock: block)
      | (masks(classID, property)[block] ?? .zero)
  }

  /// The objects with another single value, or, under the property 0, those that were deleted, by block.
  private func masks(_ classID: ClassID, _ property: PropertyID) -> [Int: BlockMask] {
    let key = ColumnKey(classID: classID, property: property)
    return changed.withLock { changed in
      if let known = changed[key] { return known }
      let change = record.classes[classID]
      var masks: [Int: BlockMask] = [:]
      func note(_ number: ObjectNumber) {
        masks[number / blockSize, default: .zero].insert(number % blockSize)
      }
      if property == PropertyID(0) {
        change?.deleted.keys.forEach(note)
      } else {
        change?[property].values.keys.forEach(note)
      }
      changed[key] = masks
      return masks
    }
  }

  /// The objects that existed, and whose value of a property is not that of `base`.
  func changedNumbers(_ property: PropertyID, of classID: ClassID) -> [ObjectNumber] {
    guard let change = record.classes[classID] else { return [] }
    return Array(change.deleted.keys) + Array(change[property].values.keys)
  }
}
