import HeraldModel
import HeraldQuery

/// Reads the version before a record by undoing the record on `base`, which is at its last version. For
/// `why`, since no transaction holds the earlier version. A read costs as much as in `base`, and for a
/// changed collection O(n). It has no indexes, since those of `base` are of the later version.
final class PreviousReader: PlainReader {
  /// At the record's last version, with references to nested collections.
  let base: any ObjectReader
  let record: CommitRecord
  /// The same reader with references to nested collections; nil for itself.
  private let referring: PreviousReader?
  /// Whether a read since this was set to false returned a value that the record lacks: an element of a
  /// cleared list, or a property that was lost.
  var hasReadUnknownValue = false
  var contents: [ObjectProperty: PreviousContents] = [:]

  init(_ base: any ObjectReader, before record: CommitRecord) {
    self.base = base.references
    self.record = record
    referring = PreviousReader(referring: self.base, before: record)
  }

  private init(referring base: any ObjectReader, before record: CommitRecord) {
    self.base = base
    self.record = record
    referring = nil
  }

  var references: any ObjectReader { referring ?? self }

  /// Returns a value of the record, or of `base`, as it was; with references if it is to have them.
  func former(_ value: Value) -> Value {
    guard let referring, value.nestedCollection != nil else { return value }
    let whole = value.whole { referring.nestedContents($0) }
    if referring.hasReadUnknownValue { hasReadUnknownValue = true }
    return whole
  }

  var schema: Schema { base.schema }

  func change(_ object: ObjectID) -> ClassChange? { record.classes[object.classID] }

  func isLost(_ property: PropertyID, of classID: ClassID) -> Bool {
    record.schemaChanged && record.losses.contains(property, of: classID)
  }

  func exists(_ object: ObjectID) -> Bool {
    guard let change = change(object) else { return base.exists(object) }
    if change.created.contains(object.number) { return false }
    return change.deleted[object.number] != nil || base.exists(object)
  }

  func value(_ property: PropertyID, of object: ObjectID) -> Value {
    if isLost(property, of: object.classID) { hasReadUnknownValue = true }
    guard let change = change(object) else { return former(base.value(property, of: object)) }
    if change.created.contains(object.number) { return .null }
    guard let deleted = change.deleted[object.number] else {
      return former(
        change[property].values[object.number] ?? base.value(property, of: object))
    }
    let key = schema.classSchema(object.classID)?.primaryKey
    return former(deleted.values[property] ?? (key?.id == property ? deleted.key : .null))
  }

  // MARK: The objects of a class

  func objectCount(of classID: ClassID) -> Int {
    let change = record.classes[classID]
    return base.objectCount(of: classID) - (change.map { Array($0.created.numbers).count } ?? 0)
      + (change?.deleted.count ?? 0)
  }

  func blockCount(of classID: ClassID) -> Int {
    let last = record.classes[classID]?.deleted.keys.max() ?? 0
    return max(base.blockCount(of: classID), last / blockSize + 1)
  }

  func presence(of classID: ClassID, block: Int) -> BlockMask {
    var mask =
      block < base.blockCount(of: classID) ? base.presence(of: classID, block: block) : .zero
    guard let change = record.classes[classID] else { return mask }
    let numbers = block * blockSize..<(block + 1) * blockSize
    for number in numbers where change.created.contains(number) { mask.remove(number % blockSize) }
    for number in change.deleted.keys where numbers.contains(number) {
      mask.insert(number % blockSize)
    }
    return mask
  }

  /// Returns every object of a class. O(objects).
  func numbers(of classID: ClassID) -> [ObjectNumber] {
    (0..<blockCount(of: classID)).flatMap { block in
      BlockBits(presence(of: classID, block: block)).map { block * blockSize + $0 }
    }
  }
}
