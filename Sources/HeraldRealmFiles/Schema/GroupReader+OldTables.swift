extension GroupReader {
  /// The arrays of a spec of formats up to 9, and how far its columns were read.
  private struct OldSpec {
    let types: Node
    let names: StringLeaf
    let attributes: Node
    let subspecs: Node?
    let distinct: Node?
    /// The next element of `subspecs`, which only some types have.
    var nextSubspec = 0
    /// The next element of `distinct`, which only enumerated columns have.
    var nextDistinct = 0
    /// The next element of the table's array of columns: an indexed column has two.
    var nextColumn = 0
  }

  /// The name of the only column of a table that is a list of values.
  private static let listColumn = "!ARRAY_VALUE"

  /// Reads the table whose array is `node`, of formats up to 9.
  mutating func readOldTable(
    _ node: Node, _ schema: inout RealmClass, _ layout: inout TableLayout
  ) throws(Fault) {
    var spec = try oldSpec(at: node.requiredRef(0))
    guard spec.types.count > 0 else { return }
    let columns = try array(at: node.requiredRef(1))
    for index in 0..<spec.types.count {
      try claim(at: spec.types.ref)
      try readOldColumn(index, &spec, columns, &schema, &layout)
    }
    // All columns have as many rows; the first that can be read says how many.
    for column in layout.columns {
      layout.rows = .columns(column)
      if let count = try? reader.rowCount(of: column) {
        schema.objectCount = count
        return
      }
    }
  }

  private mutating func oldSpec(at ref: Int) throws(Fault) -> OldSpec {
    let node = try array(at: ref)
    let types = try integers(at: node.requiredRef(0))
    let attributes = try integers(at: node.requiredRef(2))
    guard attributes.count == types.count else {
      throw Fault(.wrongCount(found: attributes.count, expected: types.count), at: attributes.ref)
    }
    return OldSpec(
      types: types, names: try names(at: node.requiredRef(1)), attributes: attributes,
      subspecs: try optionalArray(node, 3), distinct: try optionalArray(node, 4))
  }

  private mutating func optionalArray(_ node: Node, _ slot: Int) throws(Fault) -> Node? {
    guard let ref = try node.optionalRef(slot) else { return nil }
    return try array(at: ref)
  }

  private mutating func readOldColumn(
    _ index: Int, _ spec: inout OldSpec, _ columns: Node, _ schema: inout RealmClass,
    _ layout: inout TableLayout
  ) throws(Fault) {
    let number = Int(try spec.types.integer(index))
    let type = StoredType(rawValue: number)
    let attributes = ColumnAttributes(rawValue: Int(try spec.attributes.integer(index)))
    let address = (try? columns.optionalRef(spec.nextColumn)) ?? 0
    spec.nextColumn += attributes.contains(.indexed) ? 2 : 1
    guard type != .backlink else {
      let origin = try? spec.subspecs?.tagged(spec.nextSubspec)
      let column = try? spec.subspecs?.tagged(spec.nextSubspec + 1)
      spec.nextSubspec += 2
      addBacklinks(
        fromTable: reader.tableIndex(ofPlace: origin ?? -1), columnKey: Int64(column ?? -1))
      return
    }
    let name = try name(index, of: spec.names)
    addColumn(Int64(index), name: name)
    let element = try elementForm(type, number, attributes, &spec)
    let isList = type == .linkList || type == .subtable
    schema.properties.append(
      RealmProperty(
        name: name, type: element.type, isOptional: element.isNullable,
        collection: isList ? .list : .none,
        targetIndex: element.type == .link && element.target >= 0 ? element.target : nil,
        isPrimaryKey: false, isIndexed: attributes.contains(.indexed), isFullTextIndexed: false,
        isEnumerated: element.distinct != 0))
    layout.columns.append(
      ColumnLayout(
        form: element, collection: isList ? .list : .none, keys: .string, address: address,
        isSubtable: type == .subtable))
  }

  private mutating func elementForm(
    _ type: StoredType?, _ number: Int, _ attributes: ColumnAttributes, _ spec: inout OldSpec
  ) throws(Fault) -> LeafForm {
    var form = LeafForm(
      type: type?.propertyType ?? .unknown(number),
      isNullable: attributes.contains(.nullable) || type == .link, isOld: true)
    form.isSeconds = type == .seconds
    switch type {
    case .link, .linkList:
      let place = try? spec.subspecs?.tagged(spec.nextSubspec)
      spec.nextSubspec += 1
      form.target = reader.tableIndex(ofPlace: place ?? -1)
      form.linkOffset = type == .link ? 1 : 0
    case .enumerated:
      form.distinct = (try? spec.distinct?.optionalRef(spec.nextDistinct)) ?? 0
      spec.nextDistinct += 1
    case .subtable:
      let ref = try? spec.subspecs?.optionalRef(spec.nextSubspec)
      spec.nextSubspec += 1
      if let ref, let element = try listForm(at: ref) { form = element }
    // Mixed values of these formats are not described.
    case .mixed: form.type = .unknown(number)
    case .int, .bool, .string, .binary, .seconds, .timestamp, .float, .double, .decimal,
      .backlink, .objectID, .typedLink, .uuid, .nestedList, .nestedDictionary, nil:
      break
    }
    return form
  }

  /// Returns the form of the values of a table that is a list of values; nil if it is another table.
  private mutating func listForm(at ref: Int) throws(Fault) -> LeafForm? {
    var spec = try oldSpec(at: ref)
    guard spec.types.count == 1, try name(0, of: spec.names) == Self.listColumn else { return nil }
    let number = Int(try spec.types.integer(0))
    let type = StoredType(rawValue: number)
    guard type != .subtable, type?.propertyType != nil else { return nil }
    let attributes = ColumnAttributes(rawValue: Int(try spec.attributes.integer(0)))
    return try elementForm(type, number, attributes, &spec)
  }
}
