/// The named database of a record: part of what its checksum covers.
package enum RecordSpace: UInt32, CaseIterable {
  case meta = 1
  case columns, lists, links, index, log

  /// The name of the database.
  package var name: String {
    switch self {
    case .meta: "meta"
    case .columns: "columns"
    case .lists: "lists"
    case .links: "links"
    case .index: "index"
    case .log: "log"
    }
  }

  package init?(name: String) {
    guard let space = RecordSpace.allCases.first(where: { $0.name == name }) else { return nil }
    self = space
  }

  /// The size of the entries in a database with many per key, nil for one of records.
  package var entrySize: Int? {
    switch self {
    case .index: 8
    case .links: 12
    case .meta, .columns, .lists, .log: nil
    }
  }
}
