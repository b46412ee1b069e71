import HeraldModel
import HeraldQuery

/// Objects in plain arrays: the slowest reader that is right.
final class ArrayStore: PlainReader {
  private(set) var schema: Schema
  /// For each class, by object number: the values of each property, one for a single one.
  private var objects: [ClassID: [ObjectNumber: [PropertyID: [Value]]]] = [:]
  /// The keys of maps, at the positions of their values.
  private var keys: [ObjectID: [PropertyID: [String]]] = [:]
  private var nextNumbers: [ClassID: ObjectNumber] = [:]
  /// How many lookups used an index.
  private(set) var lookups = 0

  init(_ schema: Schema) { self.schema = schema }

  @discardableResult
  func add(_ className: String, _ values: [String: [Value]] = [:]) -> ObjectID {
    let owner = schema.classSchema(named: className)!
    let number = nextNumbers[owner.id, default: 1]
    nextNumbers[owner.id] = number + 1
    var object: [PropertyID: [Value]] = [:]
    for property in owner.properties {
      let empty: [Value] = property.type.isCollection ? [] : [property.type.emptyValue]
      object[property.id] = values[property.name] ?? empty
    }
    objects[owner.id, default: [:]][number] = object
    return ObjectID(owner.id, number)
  }

  func set(_ object: ObjectID, _ name: String, _ values: [Value]) {
    let property = schema.classSchema(object.classID)!.property(named: name)!
    objects[object.classID]![object.number]![property.id] = values
  }

  func setMap(_ object: ObjectID, _ name: String, _ entries: MapEntries) {
    let property = schema.classSchema(object.classID)!.property(named: name)!
    let sorted = entries.sorted {
      $0.key.unicodeScalars.lexicographicallyPrecedes($1.key.unicodeScalars)
    }
    objects[object.classID]![object.number]![property.id] = sorted.map(\.value)
    keys[object, default: [:]][property.id] = sorted.map(\.key)
  }

  func remove(_ object: ObjectID) { objects[object.classID]?[object.number] = nil }

  private func values(_ property: PropertyID, _ object: ObjectID) -> [Value] {
    if let type = schema.classSchema(object.classID)?.property(property)?.type,
      let origin = schema.origin(of: type)
    {
      return numbers(of: origin.classID).flatMap { number in
        let links = linkCount(
          from: number, origin: origin.classID, property: origin.property.id, to: object)
        return [Value](repeating: .link(ObjectID(origin.classID, number)), count: links)
      }
    }
    return objects[object.classID]?[object.number]?[property] ?? []
  }

  func numbers(of classID: ClassID) -> [ObjectNumber] { (objects[classID] ?? [:]).keys.sorted() }

  // MARK: ObjectReader

  func exists(_ object: ObjectID) -> Bool { objects[object.classID]?[object.number] != nil }

  func value(_ property: PropertyID, of object: ObjectID) -> Value {
    values(property, object).first ?? .null
  }

  func listCount(_ property: PropertyID, of object: ObjectID) -> Int {
    values(property, object).count
  }

  func listElement(_ property: PropertyID, of object: ObjectID, at index: Int) -> Value {
    values(property, object)[index]
  }

  func mapKey(_ property: PropertyID, of object: ObjectID, at index: Int) -> String {
    keys[object]![property]![index]
  }

  func forEachElement(
    _ property: PropertyID, of object: ObjectID, _ body: (Value) throws -> Bool
  ) rethrows {
    for value in values(property, object) where try !body(value) { return }
  }

  func forEachOrigin(
    of target: ObjectID, origin: ClassID, property: PropertyID,
    _ body: (ObjectNumber, Int) throws -> Bool
  ) rethrows {
    for number in numbers(of: origin) {
      let links = linkCount(from: number, origin: origin, property: property, to: target)
      if links > 0, try !body(number, links) { return }
    }
  }

  func linkCount(
    from number: ObjectNumber, origin: ClassID, property: PropertyID, to target: ObjectID
  ) -> Int {
    values(property, ObjectID(origin, number)).count { $0 == .link(target) }
  }

  func objectCount(of classID: ClassID) -> Int { objects[classID]?.count ?? 0 }

  func blockCount(of classID: ClassID) -> Int {
    (nextNumbers[classID, default: 1] - 1) / blockSize + 1
  }

  func presence(of classID: ClassID, block: Int) -> BlockMask {
    var mask = BlockMask.zero
    for bit in 0..<blockSize where exists(ObjectID(classID, block * blockSize + bit)) {
      mask.insert(bit)
    }
    return mask
  }

  func select(
    _ test: ColumnTest, property: PropertyID, of classID: ClassID, block: Int,
    within candidates: BlockMask
  ) -> BlockMask {
    var mask = BlockMask.zero
    for bit in 0..<blockSize where candidates.contains(bit) {
      let object = ObjectID(classID, block * blockSize + bit)
      if test.accepts(value(property, of: object)) { mask.insert(bit) }
    }
    return mask
  }

  func column(_ property: PropertyID, of classID: ClassID, block: Int) -> ColumnValues {
    let values = (0..<blockSize).map { bit in
      value(property, of: ObjectID(classID, block * blockSize + bit))
    }
    var nulls = BlockMask.zero
    for (bit, value) in values.enumerated() where value.isNull { nulls.insert(bit) }
    switch schema.classSchema(classID)!.property(property)!.type.element {
    case .bool, .int, .link: return .integers(values.map(\.integer), nulls: nulls)
    case .float, .double: return .doubles(values.map(\.double), nulls: nulls)
    case .date: return .dates(values.map(\.date), nulls: nulls)
    case .string: return .strings(values.map(\.text), nulls: nulls)
    case .data: return .data(values.map(\.bytes), nulls: nulls)
    case .decimal, .uuid, .objectID, .any:
      fatalError("a column of these is not read as a block")
    }
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
  fileprivate var emptyValue: Value {
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

extension Value {
  fileprivate var integer: Int {
    switch self {
    case .int(let value): value
    case .bool(let value): value ? 1 : 0
    case .link(let object): object.number
    default: 0
    }
  }

  fileprivate var double: Double {
    switch self {
    case .double(let value): value
    case .float(let value): Double(value)
    default: 0
    }
  }

  fileprivate var date: Timestamp {
    if case .date(let date) = self { date } else { Timestamp(seconds: 0) }
  }

  fileprivate var text: String { if case .string(let text) = self { text } else { "" } }

  fileprivate var bytes: [UInt8] { if case .data(let bytes) = self { bytes } else { [] } }
}
