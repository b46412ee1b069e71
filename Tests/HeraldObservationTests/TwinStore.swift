import HeraldModel
import HeraldQuery

/// One element of a list, with an identity that its value does not have.
struct TwinElement: Hashable {
  var id: Int
  var value: Value
}

struct TwinObject: Equatable {
  var values: [PropertyID: Value] = [:]
  var lists: [PropertyID: [TwinElement]] = [:]
}

/// A whole store as plain arrays: a value, so that a version is a copy.
struct TwinState {
  var schema: Schema
  var objects: [ClassID: [ObjectNumber: TwinObject]] = [:]
  var nextNumbers: [ClassID: ObjectNumber] = [:]

  subscript(_ object: ObjectID) -> TwinObject? {
    get { objects[object.classID]?[object.number] }
    set { objects[object.classID, default: [:]][object.number] = newValue }
  }

  func numbers(of classID: ClassID) -> [ObjectNumber] {
    (objects[classID] ?? [:]).keys.sorted()
  }

  /// The targets of a link or a list of links, in order.
  func targets(of object: ObjectID, _ property: PropertyID) -> [ObjectID] {
    guard let content = self[object] else { return [] }
    let values = content.lists[property]?.map(\.value) ?? [content.values[property] ?? .null]
    return values.compactMap { if case .link(let target) = $0 { target } else { nil } }
  }

  /// The objects that link to another through a property, once for each object.
  func origins(of target: ObjectID, _ origin: ClassID, _ property: PropertyID) -> [ObjectNumber] {
    (objects[origin] ?? [:]).keys.filter {
      targets(of: ObjectID(origin, $0), property).contains(target)
    }.sorted()
  }
}

/// Reads a state, slowly and plainly.
final class TwinReader: ObjectReader {
  var state: TwinState

  init(_ state: TwinState) { self.state = state }

  var schema: Schema { state.schema }

  func exists(_ object: ObjectID) -> Bool { state[object] != nil }

  func value(_ property: PropertyID, of object: ObjectID) -> Value {
    state[object]?.values[property] ?? .null
  }

  func listCount(_ property: PropertyID, of object: ObjectID) -> Int {
    state[object]?.lists[property]?.count ?? 0
  }

  func listElement(_ property: PropertyID, of object: ObjectID, at index: Int) -> Value {
    state[object]?.lists[property]?[index].value ?? .null
  }

  func forEachElement(
    _ property: PropertyID, of object: ObjectID, _ body: (Value) throws -> Bool
  ) rethrows {
    for element in state[object]?.lists[property] ?? [] where try !body(element.value) { return }
  }

  func forEachOrigin(
    of target: ObjectID, origin: ClassID, property: PropertyID,
    _ body: (_ origin: ObjectNumber, _ links: Int) throws -> Bool
  ) rethrows {
    for number in state.origins(of: target, origin, property) {
      let links = linkCount(from: number, origin: origin, property: property, to: target)
      if try !body(number, links) { return }
    }
  }

  func linkCount(
    from number: ObjectNumber, origin: ClassID, property: PropertyID, to target: ObjectID
  ) -> Int {
    state.targets(of: ObjectID(origin, number), property).count { $0 == target }
  }

  func objectCount(of classID: ClassID) -> Int { state.objects[classID]?.count ?? 0 }

  func blockCount(of classID: ClassID) -> Int {
    ((state.nextNumbers[classID] ?? 1) - 1) / blockSize + 1
  }

  func presence(of classID: ClassID, block: Int) -> BlockMask {
    var mask = BlockMask.zero
    for number in (state.objects[classID] ?? [:]).keys where number / blockSize == block {
      mask.insert(number % blockSize)
    }
    return mask
  }

  func select(
    _ test: ColumnTest, property: PropertyID, of classID: ClassID, block: Int,
    within candidates: BlockMask
  ) -> BlockMask {
    preconditionFailure("the twin's predicates are closures")
  }

  func column(_ property: PropertyID, of classID: ClassID, block: Int) -> ColumnValues {
    var nulls = BlockMask.zero
    var numbers = [Int](repeating: 0, count: blockSize)
    var strings = [String](repeating: "", count: blockSize)
    for row in 0..<blockSize {
      switch value(property, of: ObjectID(classID, block * blockSize + row)) {
      case .int(let number): numbers[row] = number
      case .link(let target): numbers[row] = target.number
      case .string(let string): strings[row] = string
      case .null, .bool, .float, .double, .data, .date: nulls.insert(row)
      }
    }
    let isText = schema.classSchema(classID)?.property(property)?.type.element == .string
    return isText ? .strings(strings, nulls: nulls) : .integers(numbers, nulls: nulls)
  }

  func indexed(
    _ property: PropertyID, of classID: ClassID, equals value: Value
  ) -> [ObjectNumber]? { nil }
}
