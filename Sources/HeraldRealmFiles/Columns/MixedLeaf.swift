/// A leaf of values of any type.
///
///     slot 0  for each value v: 0 for null, else (v & 31) - 1 is its type, (v >> 5) & 7 the slot that
///             has it, or 0, and v >> 8 the value itself, or its index there
///     slot 1  integers      slot 2  pairs of integers      slot 3  texts and bytes
///     slot 4  refs of nested collections
struct MixedLeaf {
  private let types: Node
  private let integers: Node?
  private let pairs: Node?
  private let strings: StringLeaf?
  private let collections: Node?

  /// Reads the leaf at `ref`.
  init(_ ref: Int, _ reader: inout NodeReader) throws(Fault) {
    let node = try reader.array(at: ref)
    types = try reader.integers(at: node.requiredRef(0))
    integers = try Self.integers(node, 1, &reader)
    pairs = try Self.integers(node, 2, &reader)
    if let ref = try node.optionalRef(3) {
      strings = try StringLeaf(ref, .text(emptyWidthIsNull: true), &reader)
    } else {
      strings = nil
    }
    if let ref = try node.optionalRef(4) {
      collections = try reader.array(at: ref)
    } else {
      collections = nil
    }
  }

  private static func integers(
    _ node: Node, _ slot: Int, _ reader: inout NodeReader
  ) throws(Fault) -> Node? {
    guard let ref = try node.optionalRef(slot) else { return nil }
    return try reader.integers(at: ref)
  }

  /// The number of values.
  var count: Int { types.count }

  /// Returns the value at `index`, or null.
  func value(at index: Int, _ reader: inout NodeReader) throws(Fault) -> RealmValue {
    let entry = try types.integer(index)
    if entry == 0 { return .null }
    let type = Int(entry & 31) - 1
    let slot = Int(entry >> 5 & 7)
    let number = Int(entry >> 8)
    switch (StoredType(rawValue: type), slot) {
    case (.int, 0): return .int(Int64(number))
    case (.int, 1): return .int(try element(integers, number))
    case (.bool, 0): return .bool(number != 0)
    case (.float, 1):
      let bits = UInt32(truncatingIfNeeded: try element(integers, number))
      return .float(Float(bitPattern: bits))
    case (.double, 1):
      return .double(Double(bitPattern: UInt64(bitPattern: try element(integers, number))))
    case (.timestamp, 2):
      let (seconds, nanoseconds) = try pair(number)
      return try ColumnLeaf.timestamp(seconds, nanoseconds, at: types.ref)
    case (.decimal, 2):
      let (low, high) = try pair(number)
      return DecimalLeaf.value(high: UInt64(bitPattern: high), low: UInt64(bitPattern: low))
    case (.typedLink, 2): return try link(try pair(number), reader)
    case (.string, 3): return try stringLeaf().text(at: number, &reader)
    case (.binary, 3): return try stringLeaf().data(at: number, &reader)
    case (.objectID, 3):
      return .objectID(RealmObjectID(try identifier(number, RealmObjectID.length, &reader)))
    case (.uuid, 3): return .uuid(RealmUUID(try identifier(number, RealmUUID.length, &reader)))
    case (.nestedList, 4): return .list(try reader.collection(.mixed, at: try nested(number)))
    case (.nestedDictionary, 4):
      return .dictionary(try reader.dictionary(at: try nested(number), keys: .string))
    default: throw Fault(.unknownType(type), at: types.ref)
    }
  }

  private func element(_ node: Node?, _ index: Int) throws(Fault) -> Int64 {
    guard let node else { throw Fault(.missing(element: index), at: types.ref) }
    return try node.integer(index)
  }

  private func pair(_ index: Int) throws(Fault) -> (Int64, Int64) {
    // An index has 56 bits.
    (try element(pairs, index * 2), try element(pairs, index * 2 + 1))
  }

  private func stringLeaf() throws(Fault) -> StringLeaf {
    guard let strings else { throw Fault(.missing(element: 3), at: types.ref) }
    return strings
  }

  private func nested(_ index: Int) throws(Fault) -> Int {
    guard let collections, index >= 0, index < collections.count else {
      throw Fault(.missing(element: index), at: types.ref)
    }
    return try collections.requiredRef(index)
  }

  private func identifier(
    _ index: Int, _ length: Int, _ reader: inout NodeReader
  ) throws(Fault) -> UnsafeRawPointer {
    guard case .inPlace(let bytes) = try stringLeaf().blob(at: index, &reader),
      bytes.count == length, let pointer = bytes.baseAddress
    else { throw Fault(.outOfRange, at: types.ref) }
    return pointer
  }

  private func link(
    _ pair: (table: Int64, key: Int64), _ reader: borrowing NodeReader
  ) throws(Fault) -> RealmValue {
    guard pair.key >= 0 else { return .null }
    let place = Int(pair.table & 0xFFFF)
    let target = reader.tableIndex(ofPlace: place)
    guard target >= 0 else { throw Fault(.noClass(place), at: types.ref) }
    return .link(RealmLink(classIndex: target, objectKey: pair.key))
  }
}
