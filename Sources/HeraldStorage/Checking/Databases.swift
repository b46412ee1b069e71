package import CLMDB

/// The named databases of a store.
///
///     meta      "format", "state", "m:" + name       see StoreFormat, StoreState, setMetadata
///     columns   blocks, large values, class records   see FlatBlock, FixedKey, ClassRecord
///     lists     roots and runs                        see ListRoot
///     links     reverse links, DUPFIXED               see addLink
///     index     IndexKey -> object number, DUPFIXED
///     log       version -> a commit's log entry
package struct Databases: Equatable, Sendable {
  package let meta: MDB_dbi
  let columns: MDB_dbi
  let lists: MDB_dbi
  let links: MDB_dbi
  let index: MDB_dbi
  let log: MDB_dbi

  static let count: UInt32 = 6

  package subscript(space: RecordSpace) -> MDB_dbi {
    switch space {
    case .meta: meta
    case .columns: columns
    case .lists: lists
    case .links: links
    case .index: index
    case .log: log
    }
  }

  /// Opens each of them, and with `MDB_CREATE` creates it.
  init(_ transaction: OpaquePointer, flags: UInt32, path: String) throws(StorageError) {
    func open(_ name: String, _ sorting: Int32 = 0) throws(StorageError) -> MDB_dbi {
      var handle: MDB_dbi = 0
      let code = mdb_dbi_open(
        transaction, name, flags == 0 ? 0 : flags | UInt32(sorting), &handle)
      if code == MDB_NOTFOUND {
        throw .damaged(path: path, reason: "it has no database '\(name)'")
      }
      guard code == 0 else { throw .explaining(code, "open \(name)", path: path) }
      return handle
    }
    meta = try open("meta")
    columns = try open("columns")
    lists = try open("lists")
    links = try open("links", MDB_DUPSORT | MDB_DUPFIXED)
    index = try open("index", MDB_DUPSORT | MDB_DUPFIXED)
    log = try open("log")
  }
}
