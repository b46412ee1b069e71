/// The values of a column for the objects of one cluster, or a leaf of a collection: nodes that were
/// checked, from which each value is read in place.
enum ColumnLeaf {
  /// Integers.
  case integers(Node)
  /// Integers after the one that stands for null.
  case nullableIntegers(Node, null: Int64)
  /// 0 and 1; 3 is null.
  case booleans(Node)
  /// Booleans of formats up to 9, after the number that stands for null.
  case nullableBooleans(Node, null: Int64)
  /// Numbers of 4 bytes.
  case floats(Node, isNullable: Bool)
  /// Numbers of 8 bytes.
  case doubles(Node, isNullable: Bool)
  /// Seconds, after the number that stands for null, and nanoseconds.
  case timestamps(Node, null: Int64, nanoseconds: Node)
  /// Seconds of formats up to 4.
  case seconds(Node)
  /// Seconds of formats up to 4, after the number that stands for null.
  case nullableSeconds(Node, null: Int64)
  /// Texts.
  case strings(StringLeaf)
  /// Indices of distinct texts.
  indirect case enumerated(Node, StringLeaf)
  /// Bytes.
  case binaries(StringLeaf)
  /// Object IDs.
  case objectIDs(IdentifierBlocks)
  /// UUIDs.
  case uuids(IdentifierBlocks)
  /// Decimals.
  case decimals(DecimalLeaf)
  /// Keys of objects of the class with index `target`, plus `offset`.
  case links(Node, target: Int, offset: Int64)
  /// Values of any type.
  indirect case mixed(MixedLeaf)

  /// Reads the leaf at `ref`. Throws if it does not have this form.
  init(_ ref: Int, _ form: LeafForm, _ reader: inout NodeReader) throws(Fault) {
    switch form.type {
    case .int: self = try Self.integers(ref, form, &reader)
    case .bool: self = try Self.booleans(ref, form, &reader)
    case .string: self = try Self.strings(ref, form, &reader)
    case .data: self = .binaries(try StringLeaf(ref, .bytes, &reader))
    case .mixed: self = .mixed(try MixedLeaf(ref, &reader))
    case .timestamp: self = try Self.timestamps(ref, form, &reader)
    case .float:
      self = .floats(try Self.numbers(ref, bytes: 4, &reader), isNullable: form.isNullable)
    case .double:
      self = .doubles(try Self.numbers(ref, bytes: 8, &reader), isNullable: form.isNullable)
    case .decimal: self = .decimals(try DecimalLeaf(ref, &reader))
    case .link:
      self = .links(
        try reader.integers(at: ref), target: form.target, offset: form.linkOffset)
    case .objectID:
      self = .objectIDs(try IdentifierBlocks(ref, length: RealmObjectID.length, &reader))
    case .uuid: self = .uuids(try IdentifierBlocks(ref, length: RealmUUID.length, &reader))
    case .unknown(let type): throw Fault(.unknownType(type), at: ref)
    }
  }

  /// Makes the leaf of dates whose seconds and nanoseconds are in these arrays.
  init(seconds: Int, nanoseconds: Int, _ reader: inout NodeReader) throws(Fault) {
    let node = try reader.integers(at: seconds)
    self = .timestamps(
      node, null: try node.integer(0), nanoseconds: try reader.integers(at: nanoseconds))
  }

  private static func integers(
    _ ref: Int, _ form: LeafForm, _ reader: inout NodeReader
  ) throws(Fault) -> ColumnLeaf {
    let node = try reader.integers(at: ref)
    guard form.isNullable else { return .integers(node) }
    return .nullableIntegers(node, null: try node.integer(0))
  }

  private static func booleans(
    _ ref: Int, _ form: LeafForm, _ reader: inout NodeReader
  ) throws(Fault) -> ColumnLeaf {
    let node = try reader.integers(at: ref)
    guard form.isOld, form.isNullable else { return .booleans(node) }
    return .nullableBooleans(node, null: try node.integer(0))
  }

  private static func timestamps(
    _ ref: Int, _ form: LeafForm, _ reader: inout NodeReader
  ) throws(Fault) -> ColumnLeaf {
    if form.isSeconds {
      let node = try reader.integers(at: ref)
      guard form.isNullable else { return .seconds(node) }
      return .nullableSeconds(node, null: try node.integer(0))
    }
    let node = try reader.array(at: ref)
    return try ColumnLeaf(
      seconds: node.requiredRef(0), nanoseconds: node.requiredRef(1), &reader)
  }

  private static func strings(
    _ ref: Int, _ form: LeafForm, _ reader: inout NodeReader
  ) throws(Fault) -> ColumnLeaf {
    let text = StringLeaf.Content.text(emptyWidthIsNull: !form.isOld || form.isNullable)
    guard form.distinct != 0 else { return .strings(try StringLeaf(ref, text, &reader)) }
    let node = try reader.node(at: ref)
    // Leaves keep their kind where the column was enumerated later.
    guard !node.hasRefs, node.form == .bits else {
      return .strings(try StringLeaf(node, text, &reader))
    }
    return .enumerated(node, try StringLeaf(form.distinct, text, &reader))
  }

  private static func numbers(
    _ ref: Int, bytes: Int, _ reader: inout NodeReader
  ) throws(Fault) -> Node {
    let node = try reader.node(at: ref)
    guard !node.hasRefs, node.form == .multiply, Int(node.width) == bytes || node.count == 0 else {
      throw Fault(.wrongNode, at: ref)
    }
    return node
  }

  /// Whether no value takes memory of its own.
  var isSmall: Bool {
    switch self {
    case .integers, .nullableIntegers, .booleans, .nullableBooleans, .floats, .doubles,
      .timestamps, .seconds, .nullableSeconds, .objectIDs, .uuids, .decimals, .links:
      true
    case .strings, .enumerated, .binaries, .mixed: false
    }
  }

  /// The number of values.
  var count: Int {
    switch self {
    case .integers(let node), .booleans(let node), .floats(let node, _), .doubles(let node, _),
      .seconds(let node), .enumerated(let node, _), .links(let node, _, _):
      node.count
    case .nullableIntegers(let node, _), .nullableBooleans(let node, _),
      .nullableSeconds(let node, _):
      node.count - 1
    case .timestamps(let node, _, let nanoseconds): min(node.count - 1, nanoseconds.count)
    case .strings(let leaf), .binaries(let leaf): leaf.count
    case .objectIDs(let blocks), .uuids(let blocks): blocks.count
    case .decimals(let leaf): leaf.node.count
    case .mixed(let leaf): leaf.count
    }
  }
}
