import HeraldModel

/// Reads rows of values as the objects of a class that no store has, with a property for each column from 1, and all else
/// from another reader.
final class RowReader: PlainReader {
  let schema: Schema
  private let rows: any RowValues
  private let classID: ClassID
  private let reader: any ObjectReader

  init(
    _ rows: any RowValues, of classID: ClassID, _ schema: Schema, _ reader: any ObjectReader
  ) {
    self.rows = rows
    self.classID = classID
    self.schema = schema
    self.reader = reader
  }

  var references: any ObjectReader { self }
  var isInterrupted: Bool { reader.isInterrupted }

  func exists(_ object: ObjectID) -> Bool {
    object.classID == classID ? rows.contains(object.number) : reader.exists(object)
  }

  func value(_ property: PropertyID, of object: ObjectID) -> Value {
    guard object.classID == classID else { return reader.value(property, of: object) }
    guard rows.contains(object.number) else { return .null }
    return rows.value(Int(property.rawValue) - 1, of: object.number)
  }

  func objectCount(of classID: ClassID) -> Int {
    classID == self.classID ? rows.rowCount : reader.objectCount(of: classID)
  }

  func blockCount(of classID: ClassID) -> Int {
    classID == self.classID ? rows.rowCount / blockSize + 1 : reader.blockCount(of: classID)
  }

  func presence(of classID: ClassID, block: Int) -> BlockMask {
    guard classID == self.classID else { return reader.presence(of: classID, block: block) }
    var mask = BlockMask.zero
    for bit in 0..<blockSize where rows.contains(block * blockSize + bit) {
      mask.insert(bit)
    }
    return mask
  }

  func listCount(_ property: PropertyID, of object: ObjectID) -> Int {
    reader.listCount(property, of: object)
  }

  func listElement(_ property: PropertyID, of object: ObjectID, at index: Int) -> Value {
    reader.listElement(property, of: object, at: index)
  }

  func mapKey(_ property: PropertyID, of object: ObjectID, at index: Int) -> String {
    reader.mapKey(property, of: object, at: index)
  }

  func forEachElement(
    _ property: PropertyID, of object: ObjectID, _ body: (Value) throws -> Bool
  ) rethrows {
    try reader.forEachElement(property, of: object, body)
  }

  func forEachOrigin(
    of target: ObjectID, origin: ClassID, property: PropertyID,
    _ body: (_ origin: ObjectNumber, _ links: Int) throws -> Bool
  ) rethrows {
    try reader.forEachOrigin(of: target, origin: origin, property: property, body)
  }

  func linkCount(
    from number: ObjectNumber, origin: ClassID, property: PropertyID, to target: ObjectID
  ) -> Int {
    reader.linkCount(from: number, origin: origin, property: property, to: target)
  }
}
