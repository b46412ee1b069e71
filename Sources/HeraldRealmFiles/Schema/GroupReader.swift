/// Reads the top array and the tables' schemas.
///
///     top     slot 0: ref of the names of tables; slot 1: ref of the tables; others are not needed
///     tables  for each place the ref of a table, or a free place
struct GroupReader {
  /// Reads the nodes.
  var reader: NodeReader
  /// The tables that were read, those of the program first.
  private(set) var classes: [RealmClass] = []
  /// Where their objects are.
  private(set) var layouts: [TableLayout] = []

  private var visited: Set<Int> = []
  /// How many columns and tables the file may still have.
  private var allowance: Int
  private var found: [FoundTable] = []

  /// A table whose schema was not read yet.
  private struct FoundTable {
    let place: Int
    let ref: Int
    let name: String
    var isLibraryTable: Bool { !name.hasPrefix("class_") }
  }

  /// A place has 16 bits.
  private static let placeLimit = 1 << 16
  /// The number of bytes that a name has at most; the documented system allows 63.
  private static let nameLimit = 1 << 10
  /// The number of elements that the top array can have.
  private static let topCounts = 3...12
  /// Each column of a schema takes some hundred bytes of memory, and can take one in a file.
  private static let freeAllowance = 1 << 15

  /// Prepares to read a file in this format.
  init(_ bytes: FileBytes, format: Int) {
    reader = NodeReader(bytes, format: format)
    allowance = Self.freeAllowance + bytes.count / 64
  }

  /// Reads the tables' names and schemas.
  ///
  /// Throws if the list of tables cannot be read. A table that cannot be read has an `error`.
  mutating func read(top ref: Int) throws(Fault) {
    let top = try array(at: ref)
    guard Self.topCounts.contains(top.count) else {
      throw Fault(.wrongCount(found: top.count, expected: Self.topCounts.lowerBound), at: ref)
    }
    let names = try self.names(at: top.requiredRef(0))
    let tables = try array(at: top.requiredRef(1))
    guard tables.count <= Self.placeLimit else { throw Fault(.outOfRange, at: tables.ref) }
    for place in 0..<tables.count {
      guard case .ref(let table) = try tables.slot(place) else { continue }
      try claim(at: tables.ref)
      found.append(FoundTable(place: place, ref: table, name: try name(place, of: names)))
    }
    found = found.filter { !$0.isLibraryTable } + found.filter(\.isLibraryTable)
    reader.tableIndices = Array(repeating: -1, count: tables.count)
    for (index, table) in found.enumerated() { reader.tableIndices[table.place] = index }
    for table in found { readTable(table) }
    linkBacklinks()
  }

  private mutating func readTable(_ table: FoundTable) {
    var schema = RealmClass(tableName: table.name)
    var layout = TableLayout()
    do throws(Fault) {
      let node = try array(at: table.ref)
      if reader.format < 10 {
        try readOldTable(node, &schema, &layout)
      } else {
        try readTable(node, &schema, &layout)
      }
    } catch {
      schema.error = RealmFileError(error, className: schema.name)
    }
    classes.append(schema)
    layouts.append(layout)
  }

  /// Reads an array of refs that has one parent.
  mutating func array(at ref: Int) throws(Fault) -> Node {
    guard visited.insert(ref).inserted else { throw Fault(.shared, at: ref) }
    return try reader.array(at: ref)
  }

  /// Reads an array of integers that has one parent.
  mutating func integers(at ref: Int) throws(Fault) -> Node {
    guard visited.insert(ref).inserted else { throw Fault(.shared, at: ref) }
    return try reader.integers(at: ref)
  }

  /// Reads a leaf of names that has one parent.
  mutating func names(at ref: Int) throws(Fault) -> StringLeaf {
    guard visited.insert(ref).inserted else { throw Fault(.shared, at: ref) }
    return try StringLeaf(ref, .text(emptyWidthIsNull: false), &reader)
  }

  /// Returns the name at `index`; what is not UTF-8 in it is replaced.
  mutating func name(_ index: Int, of names: StringLeaf) throws(Fault) -> String {
    guard index < names.count, let blob = try names.blob(at: index, &reader) else { return "" }
    guard case .inPlace(let bytes) = blob, bytes.count <= Self.nameLimit else {
      throw Fault(.outOfRange, at: names.ref)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Counts a column or a table. Throws if there are more than a file of this size has.
  mutating func claim(at ref: Int) throws(Fault) {
    allowance -= 1
    guard allowance >= 0 else { throw Fault(.tooMuch, at: ref) }
  }

  /// The origins of backlinks, by column key, until all tables are read.
  private var origins: [Origin] = []
  private var columnNames: [ColumnAddress: String] = [:]

  private struct Origin {
    let tableIndex: Int
    let originIndex: Int
    let columnKey: Int64
  }

  private struct ColumnAddress: Hashable {
    let tableIndex: Int
    let columnKey: Int64
  }

  /// Notes that the table that is being read has backlinks from a column of another.
  mutating func addBacklinks(fromTable originIndex: Int, columnKey: Int64) {
    origins.append(
      Origin(tableIndex: classes.count, originIndex: originIndex, columnKey: columnKey))
  }

  /// Notes the name of a column of the table that is being read.
  mutating func addColumn(_ columnKey: Int64, name: String) {
    columnNames[ColumnAddress(tableIndex: classes.count, columnKey: columnKey)] = name
  }

  private mutating func linkBacklinks() {
    for origin in origins {
      let address = ColumnAddress(tableIndex: origin.originIndex, columnKey: origin.columnKey)
      classes[origin.tableIndex].backlinks.append(
        RealmBacklinks(
          originIndex: origin.originIndex < 0 ? nil : origin.originIndex,
          originProperty: columnNames[address]))
    }
  }
}
