/// A system that does the same work, in the order of the table's columns.
enum Peer: String, CaseIterable {
  case herald = "Herald"
  /// By its C API, with prepared statements.
  case sqlite = "SQLite"
  /// Its `ValueObservation`.
  case grdb = "GRDB"
  /// By its Python package, on one core.
  case duckdb = "duckdb, 1 core"
  /// The same on all cores.
  case duckdbOnAllCores = "duckdb, all cores"
}
