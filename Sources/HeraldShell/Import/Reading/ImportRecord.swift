import Herald

/// An object of an imported file: the names of its columns and their contents.
struct ImportRecord: Equatable {
  enum Content: Equatable {
    case json(JSONValue)
    /// A CSV field, whose meaning depends on the property's type.
    case field(CSVField)
  }
  struct Entry: Equatable {
    var name: String
    var content: Content
  }
  /// The first line of the record.
  var line: Int
  var entries: [Entry]
}

/// What a statement says of the form of an imported file.
struct ImportForm: Equatable {
  /// nil if the first record decides.
  var delimiter: UInt8?
  /// The signs of a CSV file, but for its delimiter.
  var dialect = CSVDialect()
  /// The number of lines before the header, or before JSON.
  var skippedLines = 0
  /// Whether the first record of a CSV file has the names of its columns.
  var hasHeader = true
  /// nil for UTF-8, or UTF-16 that is seen to be it.
  var encoding: TextEncoding?
  /// Whether the file is known to be CSV, whatever it begins with.
  var isCSV = false
  /// A word of the statement that only holds for the fields of CSV, which the file may be.
  var fieldOption: String?
  /// Whether the name of the file says that it is JSON, and nothing else.
  var isJSON = false
  /// The form of the log that the file is known to be.
  var log: LogForm?
  /// Whether the file is a log if its first line is one of a log.
  var mayBeLog = false
  /// Whether each record is a line, which may lack any column: one that is added as it comes.
  var isByLine = false
  /// Whether a later column of the same name gets this one, with a number, instead; else it is an error.
  var numbersDuplicate: (String) -> Bool = { _ in false }
  /// Whether a JSON object whose first member has this name, and is an array of objects, contains the records.
  var isWrapper: (String) -> Bool = { _ in false }

  static func == (a: ImportForm, b: ImportForm) -> Bool {
    (a.delimiter, a.dialect, a.skippedLines, a.hasHeader, a.encoding, a.isCSV)
      == (b.delimiter, b.dialect, b.skippedLines, b.hasHeader, b.encoding, b.isCSV)
      && a.log == b.log
  }
}
