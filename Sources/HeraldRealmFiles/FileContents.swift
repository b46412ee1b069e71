/// What was read when a file was opened: its bytes, its schema, and where objects are.
final class FileContents: Sendable {
  /// The bytes.
  let bytes: FileBytes
  /// The format: 2…11 or 20…24, or 0 for a file without tables.
  let format: Int
  /// The tables, those of the program first.
  let tables: [RealmClass]
  /// How each table is stored.
  let layouts: [TableLayout]
  /// The index in `tables` for each place; -1 if there is none.
  private let tableIndices: [Int]

  /// Reads the header and the schema.
  init(_ bytes: FileBytes, state: RealmFileState) throws(Fault) {
    let header = try FileHeader(bytes, state: state)
    self.bytes = bytes
    format = header.format
    guard header.topRef > 0 else {
      tables = []
      layouts = []
      tableIndices = []
      return
    }
    var group = GroupReader(bytes, format: header.format)
    try group.read(top: header.topRef)
    tables = group.classes
    layouts = group.layouts
    tableIndices = group.reader.tableIndices
  }

  /// Makes a reader for one pass.
  func reader() -> NodeReader {
    NodeReader(bytes, format: format, tableIndices: tableIndices)
  }
}
