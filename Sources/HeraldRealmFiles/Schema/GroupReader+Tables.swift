extension GroupReader {
  /// The slots of a table's array, in formats from 10 on.
  private enum TableSlot {
    static let spec = 0
    static let clusters = 2
    static let oppositeTables = 7
    static let oppositeColumns = 8
    static let primaryKey = 11
    static let flags = 12
    static let tombstones = 13
  }

  /// The arrays of a spec that have one element a column.
  private struct Spec {
    let types: Node
    let names: StringLeaf
    let attributes: Node
    let keys: Node
    let distinct: Node?
  }

  /// The arrays of a table that say where links lead.
  private struct Opposites {
    let tables: Node?
    let columns: Node?
  }

  /// Reads the table whose array is `node`, of formats from 10 on.
  mutating func readTable(
    _ node: Node, _ schema: inout RealmClass, _ layout: inout TableLayout
  ) throws(Fault) {
    schema.kind =
      switch (try node.tagged(TableSlot.flags) ?? 0) & 3 {
      case 1: .embedded
      case 2: .asymmetric
      default: .topLevel
      }
    let spec = try spec(at: node.requiredRef(TableSlot.spec))
    let opposites = Opposites(
      tables: try optionalIntegers(node, TableSlot.oppositeTables),
      columns: try optionalIntegers(node, TableSlot.oppositeColumns))
    let primaryKey = try node.tagged(TableSlot.primaryKey)
    var leafIndices: Set<Int> = []
    for index in 0..<spec.types.count {
      try claim(at: spec.types.ref)
      let key = try spec.keys.integer(index)
      guard leafIndices.insert(Int(key & 0xFFFF)).inserted else {
        throw Fault(.outOfRange, at: spec.keys.ref)
      }
      try readColumn(
        index, spec, opposites, isPrimaryKey: primaryKey == Int(key), &schema, &layout)
    }
    try readObjects(node, &schema, &layout)
  }

  private mutating func readObjects(
    _ node: Node, _ schema: inout RealmClass, _ layout: inout TableLayout
  ) throws(Fault) {
    if let tombstones = try node.optionalRef(TableSlot.tombstones) {
      schema.tombstoneCount = (try? ClusterDirectory.objectCount(root: tombstones, &reader)) ?? 0
    }
    guard let root = try node.optionalRef(TableSlot.clusters) else { return }
    layout.rows = .clusters(root: root)
    schema.objectCount = try ClusterDirectory.objectCount(root: root, &reader)
  }

  private mutating func spec(at ref: Int) throws(Fault) -> Spec {
    let node = try array(at: ref)
    let types = try integers(at: node.requiredRef(0))
    let attributes = try integers(at: node.requiredRef(2))
    let keys = try integers(at: node.requiredRef(5))
    for array in [attributes, keys] where array.count != types.count {
      throw Fault(.wrongCount(found: array.count, expected: types.count), at: array.ref)
    }
    let distinct = try node.optionalRef(4)
    return Spec(
      types: types, names: try names(at: node.requiredRef(1)), attributes: attributes, keys: keys,
      distinct: distinct == nil ? nil : try array(at: node.requiredRef(4)))
  }

  private mutating func optionalIntegers(_ node: Node, _ slot: Int) throws(Fault) -> Node? {
    guard let ref = try node.optionalRef(slot) else { return nil }
    return try integers(at: ref)
  }

  private mutating func readColumn(
    _ index: Int, _ spec: Spec, _ opposites: Opposites, isPrimaryKey: Bool,
    _ schema: inout RealmClass, _ layout: inout TableLayout
  ) throws(Fault) {
    let key = try spec.keys.integer(index)
    let leafIndex = Int(key & 0xFFFF)
    let stored = try spec.types.integer(index)
    let number = Int(stored & 0xFFFF)
    let type = StoredType(rawValue: number)
    let attributes = ColumnAttributes(rawValue: Int(try spec.attributes.integer(index)))
    let target = opposites.tables.flatMap { tables in
      leafIndex < tables.count ? try? tables.integer(leafIndex) : nil
    }
    let targetIndex = reader.tableIndex(ofPlace: Int((target ?? -1) & 0xFFFF))
    guard type != .backlink else {
      let column = opposites.columns.flatMap { try? $0.integer(leafIndex) }
      addBacklinks(fromTable: targetIndex, columnKey: column ?? -1)
      return
    }
    let name = try name(index, of: spec.names)
    addColumn(key, name: name)
    let valueType = type?.propertyType ?? .unknown(number)
    let collection = type == .linkList ? .list : attributes.collection
    let isOptional =
      attributes.contains(.nullable) || valueType == .mixed
      || valueType == .link && collection == .none
    let distinct = spec.distinct.flatMap { try? $0.optionalRef(index) } ?? 0
    schema.properties.append(
      RealmProperty(
        name: name, type: valueType, isOptional: isOptional, collection: collection,
        targetIndex: valueType == .link && targetIndex >= 0 ? targetIndex : nil,
        isPrimaryKey: isPrimaryKey, isIndexed: attributes.contains(.indexed),
        isFullTextIndexed: attributes.contains(.fullText), isEnumerated: distinct != 0))
    layout.columns.append(
      ColumnLayout(
        form: LeafForm(
          type: valueType, isNullable: isOptional, target: targetIndex,
          linkOffset: collection == .none ? 1 : 0, isOld: false,
          distinct: collection == .none ? distinct : 0),
        collection: collection, keys: Self.keyType(stored), address: leafIndex))
  }

  private static func keyType(_ stored: Int64) -> RealmPropertyType {
    let number = Int(stored >> 16 & 0xFFFF)
    return StoredType(rawValue: number)?.propertyType ?? .unknown(number)
  }
}
