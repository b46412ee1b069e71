extension ColumnLeaf {
  /// The pattern of 32 bits that is null.
  private static let nullFloat: UInt32 = 0x7FC0_00AA
  /// The pattern of 64 bits that is null.
  private static let nullDouble: UInt64 = 0x7FF8_0000_0000_00AA

  /// Returns the value at `index`. Throws if there is none, or it is damaged.
  ///
  /// Cost: some nanoseconds; texts of more than 15 bytes, bytes and collections are copied.
  func value(at index: Int, _ reader: inout NodeReader) throws(Fault) -> RealmValue {
    switch self {
    case .integers(let node): return .int(try node.integer(index))
    case .nullableIntegers(let node, let null):
      let number = try node.integer(after(index))
      return number == null ? .null : .int(number)
    case .booleans(let node):
      let number = try node.integer(index)
      return number == 3 ? .null : try boolean(number, node)
    case .nullableBooleans(let node, let null):
      let number = try node.integer(after(index))
      return number == null ? .null : try boolean(number, node)
    case .floats(let node, let isNullable):
      let bits = try node.fixed(index, as: UInt32.self)
      return isNullable && bits == Self.nullFloat ? .null : .float(Float(bitPattern: bits))
    case .doubles(let node, let isNullable):
      let bits = try node.fixed(index, as: UInt64.self)
      return isNullable && bits == Self.nullDouble ? .null : .double(Double(bitPattern: bits))
    case .timestamps(let node, let null, let nanoseconds):
      let seconds = try node.integer(after(index))
      return seconds == null
        ? .null : try Self.timestamp(seconds, try nanoseconds.integer(index), at: node.ref)
    case .seconds(let node): return .timestamp(seconds: try node.integer(index), nanoseconds: 0)
    case .nullableSeconds(let node, let null):
      let seconds = try node.integer(after(index))
      return seconds == null ? .null : .timestamp(seconds: seconds, nanoseconds: 0)
    case .strings(let leaf): return try leaf.text(at: index, &reader)
    case .enumerated(let node, let distinct):
      return try distinct.text(at: Int(try node.integer(index)), &reader)
    case .binaries(let leaf): return try leaf.data(at: index, &reader)
    case .objectIDs(let blocks):
      guard let bytes = try blocks.value(at: index) else { return .null }
      return .objectID(RealmObjectID(bytes))
    case .uuids(let blocks):
      guard let bytes = try blocks.value(at: index) else { return .null }
      return .uuid(RealmUUID(bytes))
    case .decimals(let leaf): return try leaf.value(at: index)
    case .links(let node, let target, let offset):
      return try Self.link(try node.integer(index), target: target, offset: offset, node)
    case .mixed(let leaf): return try leaf.value(at: index, &reader)
    }
  }

  /// Returns the bytes of the text at `index`; nil for null, and if the values are not texts.
  func blob(at index: Int, _ reader: inout NodeReader) throws(Fault) -> NodeReader.Blob? {
    if case .strings(let leaf) = self { return try leaf.blob(at: index, &reader) }
    guard case .enumerated(let node, let distinct) = self else { return nil }
    return try distinct.blob(at: Int(try node.integer(index)), &reader)
  }

  /// The index of a value in an array whose first element stands for null.
  private func after(_ index: Int) -> Int { index < 0 ? index : index + 1 }

  private func boolean(_ number: Int64, _ node: Node) throws(Fault) -> RealmValue {
    guard number == 0 || number == 1 else { throw Fault(.outOfRange, at: node.ref) }
    return .bool(number == 1)
  }

  /// Returns the date with these parts. Throws if the nanoseconds are a second or more.
  static func timestamp(
    _ seconds: Int64, _ nanoseconds: Int64, at ref: Int
  ) throws(Fault) -> RealmValue {
    guard nanoseconds > -1_000_000_000, nanoseconds < 1_000_000_000 else {
      throw Fault(.outOfRange, at: ref)
    }
    return .timestamp(seconds: seconds, nanoseconds: Int32(nanoseconds))
  }

  private static func link(
    _ stored: Int64, target: Int, offset: Int64, _ node: Node
  ) throws(Fault) -> RealmValue {
    let (key, overflow) = stored.subtractingReportingOverflow(offset)
    // -1 is no link; keys below it are tombstones, which programs see as nil.
    guard !overflow, key >= 0 else { return .null }
    guard target >= 0 else { throw Fault(.noClass(target), at: node.ref) }
    return .link(RealmLink(classIndex: target, objectKey: key))
  }
}
