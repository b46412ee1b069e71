import HeraldModel
import HeraldQuery

/// Reads a state, slowly and plainly.
final class ModelReader: PlainReader {
  var state: RecordedState
  /// How many lookups used an index.
  private(set) var lookups = 0

  init(_ state: RecordedState) { self.state = state }

  var schema: Schema { state.schema }

  var references: any ObjectReader { self }

  func numbers(of classID: ClassID) -> [ObjectNumber] { state.numbers(of: classID) }

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
    for bit in 0..<blockSize where exists(ObjectID(classID, block * blockSize + bit)) {
      mask.insert(bit)
    }
    return mask
  }

  func indexed(
    _ property: PropertyID, of classID: ClassID, in range: IndexRange<Value>
  ) -> [ObjectNumber]? {
    lookups += 1
    return inIndex(property, of: classID, range)
  }

  func indexedCount(
    _ property: PropertyID, of classID: ClassID, in range: IndexRange<Value>, limit: Int
  ) -> Int? {
    inIndex(property, of: classID, range)?.count
  }

  private func inIndex(
    _ property: PropertyID, of classID: ClassID, _ range: IndexRange<Value>
  ) -> [ObjectNumber]? {
    let found = schema.classSchema(classID)!.property(property)!
    guard found.isIndexed || found.isPrimaryKey else { return nil }
    return numbers(of: classID).filter {
      range.contains(self.value(property, of: ObjectID(classID, $0)).stored)
    }.reversed()
  }
}

extension IndexRange<Value> {
  fileprivate func contains(_ value: Value) -> Bool {
    switch self {
    case .equal(let wanted):
      return wanted.stored == value
    case .between(let lower, let upper):
      return !value.isNull && lower.map { Value.order($0.stored, value) <= 0 } ?? true
        && upper.map { Value.order(value, $0.stored) <= 0 } ?? true
    case .prefix(let prefix):
      guard case .data(let bytes) = value else { return false }
      return bytes.starts(with: prefix)
    }
  }
}

extension Value {
  /// The value as indexes have it: whole numbers of any column as ints, bytes of any column as data.
  fileprivate var stored: Value {
    switch self {
    case .bool(let value): .int(value ? 1 : 0)
    case .link(let object): .int(object.number)
    case .string(let text): .data(Array(text.utf8))
    default: self
    }
  }
}

extension PropertyType {
  /// What a new object has where nothing is assigned.
  var emptyValue: Value {
    if isOptional { return .null }
    switch element {
    case .bool: return .bool(false)
    case .int: return .int(0)
    case .float: return .float(0)
    case .double: return .double(0)
    case .string: return .string("")
    case .data: return .data([])
    case .date: return .date(Timestamp(seconds: 0))
    case .decimal: return .decimal(.zero)
    case .uuid: return .uuid(UniqueID(bits: (0, 0)))
    case .objectID: return .objectID(DocumentID(bits: (0, 0)))
    case .link, .any: return .null
    }
  }
}
