import CSQLite

/// An SQLite database, through its C API.
final class SQLiteDatabase {
  static var version: String { String(cString: sqlite3_libversion()) }

  private var handle: OpaquePointer?
  /// The last row that changed within `notingUpdates`.
  private(set) var updatedRow: Int?

  /// In memory, or in a file whose commits are durable, with the log that makes them cheapest.
  init(_ path: String? = nil) throws {
    try check(sqlite3_open(path ?? ":memory:", &handle))
    if path != nil { try execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL") }
  }

  /// Notes each changed row in a block, by the update hook.
  func notingUpdates<Result>(_ body: () throws -> Result) rethrows -> Result {
    defer { _ = sqlite3_update_hook(handle, nil, nil) }
    _ = sqlite3_update_hook(
      handle,
      { context, _, _, _, row in
        guard let context else { return }
        Unmanaged<SQLiteDatabase>.fromOpaque(context).takeUnretainedValue().updatedRow = Int(row)
      }, Unmanaged.passUnretained(self).toOpaque())
    return try body()
  }

  deinit { sqlite3_close_v2(handle) }

  func execute(_ text: String) throws {
    try check(sqlite3_exec(handle, text, nil, nil, nil))
  }

  func prepare(_ text: String) throws -> SQLiteStatement {
    var statement: OpaquePointer?
    try check(sqlite3_prepare_v2(handle, text, -1, &statement, nil))
    guard let statement else { throw WrongWork(description: "'\(text)' is not a statement") }
    return SQLiteStatement(statement)
  }

  private func check(_ code: Int32) throws {
    guard code != SQLITE_OK else { return }
    throw WrongWork(description: "SQLite: " + String(cString: sqlite3_errmsg(handle)))
  }
}

/// A statement that is prepared once and run many times.
final class SQLiteStatement {
  private let handle: OpaquePointer

  init(_ handle: OpaquePointer) { self.handle = handle }

  deinit { sqlite3_finalize(handle) }

  func bind(_ value: Int, at index: Int32) { sqlite3_bind_int64(handle, index, Int64(value)) }

  func bind(_ value: Double, at index: Int32) { sqlite3_bind_double(handle, index, value) }

  /// Binds a copy of the text, which need not outlive the call.
  func bind(_ value: String, at index: Int32) {
    let copying = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    var value = value
    value.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        _ = sqlite3_bind_text(
          handle, index, characters.baseAddress, Int32(characters.count), copying)
      }
    }
  }

  /// Runs a statement that returns no rows.
  func run() throws {
    try require(sqlite3_step(handle) == SQLITE_DONE, "SQLite: a statement did not finish")
    sqlite3_reset(handle)
  }

  /// Returns the first column of the first row.
  func integer() throws -> Int {
    try require(sqlite3_step(handle) == SQLITE_ROW, "SQLite: no row")
    let value = Int(sqlite3_column_int64(handle, 0))
    sqlite3_reset(handle)
    return value
  }

  /// Returns the first column, an integer, and the second, a floating-point number, of every row.
  func measures() -> [IdentifiedMeasure] {
    var rows: [IdentifiedMeasure] = []
    while sqlite3_step(handle) == SQLITE_ROW {
      rows.append(
        IdentifiedMeasure(
          id: Int(sqlite3_column_int64(handle, 0)), measure: sqlite3_column_double(handle, 1)))
    }
    sqlite3_reset(handle)
    return rows
  }

  /// Returns the first column of every row.
  func integers() -> [Int] {
    var values: [Int] = []
    while sqlite3_step(handle) == SQLITE_ROW { values.append(Int(sqlite3_column_int64(handle, 0))) }
    sqlite3_reset(handle)
    return values
  }
}

/// A row with a number that changes.
struct IdentifiedMeasure: Equatable {
  let id: Int
  let measure: Double
}
