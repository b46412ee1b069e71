/// Reads records as rows of plain values. It needs no store, so that any thread may read.
protocol RowSource: SendableMetatype {
  /// The number of values of a row.
  var columnCount: Int { get }
  /// The number of records that were read.
  var count: Int { get }

  /// Reads rows, in the part of the file that is in memory.
  mutating func fill(_ rows: PlainRows) -> RowStop

  /// Reads more of the file; the texts of earlier rows must not be used any more, unless these retain their window. Returns
  /// false at the end of the file.
  mutating func next() throws(JSONReader.Failure) -> Bool
}

/// Why no more rows were read.
enum RowStop {
  /// No more rows fit.
  case full
  /// The next record needs another part of the file, whose text replaces that of the rows.
  case window
  /// A record has to be read and added alone: it has more than plain values, or is wrong.
  case other
  /// The record that was read last is wrong.
  case failure(JSONReader.Failure)
}
