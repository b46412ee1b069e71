import HeraldModel
import HeraldObservation
import HeraldQuery

/// One element of a list, with an identity that its value does not have.
struct ModelElement: Hashable {
  var id: Int
  var value: Value
}

struct ModelObject: Equatable {
  var values: [PropertyID: Value] = [:]
  var lists: [PropertyID: [ModelElement]] = [:]
  var sets: [PropertyID: Set<Value>] = [:]
  var maps: [PropertyID: MapEntries] = [:]
}

/// A whole store as plain arrays: a value, so that a version is a copy.
struct ModelState {
  var schema: Schema
  var objects: [ClassID: [ObjectNumber: ModelObject]] = [:]
  var nextNumbers: [ClassID: ObjectNumber] = [:]

  subscript(_ object: ObjectID) -> ModelObject? {
    get { objects[object.classID]?[object.number] }
    set { objects[object.classID, default: [:]][object.number] = newValue }
  }

  func numbers(of classID: ClassID) -> [ObjectNumber] {
    (objects[classID] ?? [:]).keys.sorted()
  }

  /// The elements of a collection in its order: sets by value, maps by key, backlinks by origin, an
  /// origin once for each of its links.
  func elements(of object: ObjectID, _ property: PropertyID) -> [Value] {
    guard let content = self[object],
      let type = schema.classSchema(object.classID)?.property(property)?.type
    else { return [] }
    switch type.shape {
    case .single: return []
    case .list: return content.lists[property]?.map(\.value) ?? []
    case .set: return (content.sets[property] ?? []).sorted { Value.order($0, $1) < 0 }
    case .map:
      let map = content.maps[property] ?? [:]
      return map.keys.sorted().map { map[$0] ?? .null }
    case .backlinks:
      guard let origin = schema.origin(of: type) else { return [] }
      return origins(of: object, origin.classID, origin.property.id).flatMap { number in
        let link = ObjectID(origin.classID, number)
        let count = targets(of: link, origin.property.id).count { $0 == object }
        return [Value](repeating: .link(link), count: count)
      }
    }
  }

  /// The objects that a property leads to, forward, in order.
  func targets(of object: ObjectID, _ property: PropertyID) -> [ObjectID] {
    guard let content = self[object],
      let type = schema.classSchema(object.classID)?.property(property)?.type,
      type.target != nil || type.element == .any
    else { return [] }
    let values =
      type.isCollection
      ? elements(of: object, property) : [content.values[property] ?? .null]
    var targets: [ObjectID] = []
    for value in values { value.forEachLink { targets.append($0) } }
    return targets
  }

  /// The objects that link to another through a property, once for each object.
  func origins(of target: ObjectID, _ origin: ClassID, _ property: PropertyID) -> [ObjectNumber] {
    (objects[origin] ?? [:]).keys.filter {
      targets(of: ObjectID(origin, $0), property).contains(target)
    }.sorted()
  }
}

/// Reads a state, slowly and plainly.
final class ModelReader: PlainReader {
  var state: ModelState

  init(_ state: ModelState) { self.state = state }

  var schema: Schema { state.schema }

  func exists(_ object: ObjectID) -> Bool { state[object] != nil }

  func value(_ property: PropertyID, of object: ObjectID) -> Value {
    state[object]?.values[property] ?? .null
  }

  func listCount(_ property: PropertyID, of object: ObjectID) -> Int {
    state.elements(of: object, property).count
  }

  func listElement(_ property: PropertyID, of object: ObjectID, at index: Int) -> Value {
    state.elements(of: object, property)[index]
  }

  func mapKey(_ property: PropertyID, of object: ObjectID, at index: Int) -> String {
    (state[object]?.maps[property] ?? [:]).keys.sorted()[index]
  }

  func forEachElement(
    _ property: PropertyID, of object: ObjectID, _ body: (Value) throws -> Bool
  ) rethrows {
    for element in state.elements(of: object, property) where try !body(element) { return }
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
    var mask = BlockMask.zero
    for bit in 0..<blockSize where candidates.contains(bit) {
      if test.accepts(value(property, of: ObjectID(classID, block * blockSize + bit))) {
        mask.insert(bit)
      }
    }
    return mask
  }

  func column(_ property: PropertyID, of classID: ClassID, block: Int) -> ColumnValues {
    var nulls = BlockMask.zero
    var integers = [Int](repeating: 0, count: blockSize)
    var doubles = [Double](repeating: 0, count: blockSize)
    var dates = [Timestamp](repeating: Timestamp(seconds: 0), count: blockSize)
    var strings = [String](repeating: "", count: blockSize)
    for row in 0..<blockSize {
      switch value(property, of: ObjectID(classID, block * blockSize + row)) {
      case .bool(let value): integers[row] = value ? 1 : 0
      case .int(let value): integers[row] = value
      case .link(let target): integers[row] = target.number
      case .double(let value): doubles[row] = value
      case .date(let value): dates[row] = value
      case .string(let value): strings[row] = value
      case .null, .float, .data, .decimal, .uuid, .objectID, .list, .map: nulls.insert(row)
      }
    }
    switch schema.classSchema(classID)?.property(property)?.type.element {
    case .string: return .strings(strings, nulls: nulls)
    case .double: return .doubles(doubles, nulls: nulls)
    case .date: return .dates(dates, nulls: nulls)
    case _: return .integers(integers, nulls: nulls)
    }
  }
}
