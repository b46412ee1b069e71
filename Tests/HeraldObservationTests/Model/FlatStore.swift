import HeraldModel
import HeraldQuery
import TestSupport

/// One class with two integers, in arrays: as fast as a reader can be, so that what is measured is
/// the observatory.
final class FlatStore: PlainReader {
  static let classID = ClassID(1)
  static let age = PropertyID(1)
  static let weight = PropertyID(2)

  let schema = Schema(classes: [
    ClassSchema(
      id: classID, name: "Dog",
      properties: [
        PropertySchema(id: age, name: "age", type: PropertyType(.int)),
        PropertySchema(id: weight, name: "weight", type: PropertyType(.int)),
      ])
  ])
  /// Age and weight by object number; object 0 does not exist.
  var ages: [Int]
  var weights: [Int]
  private(set) var writeCount = 0
  /// How many values were read.
  private(set) var readCount = 0

  init(count: Int) {
    var random = SplitMix64(seed: 1)
    ages = (0...count).map { _ in random.below(1000) }
    weights = (0...count).map { _ in random.below(1_000_000) }
    // Of what does not exist blocks have zeros.
    (ages[0], weights[0]) = (0, 0)
  }

  var references: any ObjectReader { self }

  func exists(_ object: ObjectID) -> Bool { object.number > 0 && object.number < ages.count }

  func value(_ property: PropertyID, of object: ObjectID) -> Value {
    readCount += 1
    guard exists(object) else { return .null }
    return .int(property == Self.age ? ages[object.number] : weights[object.number])
  }

  func listCount(_ property: PropertyID, of object: ObjectID) -> Int { 0 }

  func mapKey(_ property: PropertyID, of object: ObjectID, at index: Int) -> String { "" }

  func listElement(_ property: PropertyID, of object: ObjectID, at index: Int) -> Value { .null }

  func forEachElement(
    _ property: PropertyID, of object: ObjectID, _ body: (Value) throws -> Bool
  ) rethrows {}

  func forEachOrigin(
    of target: ObjectID, origin: ClassID, property: PropertyID,
    _ body: (_ origin: ObjectNumber, _ links: Int) throws -> Bool
  ) rethrows {}

  func linkCount(
    from number: ObjectNumber, origin: ClassID, property: PropertyID, to target: ObjectID
  ) -> Int { 0 }

  func objectCount(of classID: ClassID) -> Int { ages.count - 1 }

  func blockCount(of classID: ClassID) -> Int { (ages.count + blockSize - 1) / blockSize }

  func presence(of classID: ClassID, block: Int) -> BlockMask {
    let rest = ages.count - block * blockSize
    var mask = BlockMask.everything
    if rest < blockSize {
      for bit in rest..<blockSize { mask.remove(bit) }
    }
    if block == 0 { mask.remove(0) }
    return mask
  }

  func column(_ property: PropertyID, of classID: ClassID, block: Int) -> ColumnValues {
    readCount += blockSize
    let start = block * blockSize
    let column = property == Self.age ? ages : weights
    var values = Array(column[start..<min(start + blockSize, column.count)])
    values += repeatElement(0, count: blockSize - values.count)
    return .integers(values, nulls: ~presence(of: classID, block: block))
  }

  /// Sets weights and returns the previous ones.
  func setWeights(_ changes: [(ObjectNumber, Int)]) -> [ObjectNumber: Value] {
    writeCount += 1
    var old: [ObjectNumber: Value] = [:]
    for (number, weight) in changes where weights[number] != weight {
      old[number] = .int(weights[number])
      weights[number] = weight
    }
    return old
  }
}
