import Herald

/// A form of file that is neither CSV nor JSON, known by its first bytes.
struct ForeignForm {
  /// What the file is, and how CSV or JSON is made of it, with FILE for its name.
  let reason: String
  private let mark: [UInt8]
  private let offset: Int

  /// `mark`: has one byte for each character.
  private init(_ mark: String, at offset: Int = 0, _ reason: String) {
    self.mark = mark.unicodeScalars.map { UInt8($0.value) }
    self.offset = offset
    self.reason = reason
  }

  /// The first bytes of a file that are enough to know its form.
  static let headSize = 512

  /// The form of a file that begins with these bytes; nil if it may be CSV or JSON.
  static func of(_ head: [UInt8]) -> ForeignForm? {
    all.first {
      head.dropFirst($0.offset).starts(with: $0.mark) && ($0.isSure || head.contains { $0 < 9 })
    }
  }

  /// Whether no table begins with the mark, as one with a column PAR1 may.
  private var isSure: Bool { mark.count > 5 || mark.contains { $0 < 0x20 || $0 > 0x7E } }

  private static let all = compressed + documents + tables + stores

  private static func compressed(_ mark: String, _ program: String, _ command: String) -> Self {
    ForeignForm(mark, "it is compressed by \(program); '\(command) FILE' unpacks it")
  }

  private static let compressed =
    (1...9).flatMap { level in
      ["1AY&SY", "\u{17}rE8P\u{90}"].map { compressed("BZh\(level)\($0)", "bzip2", "bunzip2 -k") }
    } + [
      compressed("\u{FD}7zXZ\0", "xz", "xz -dk"),
      compressed("\u{28}\u{B5}\u{2F}\u{FD}", "zstandard", "zstd -d"),
      compressed("\u{04}\u{22}\u{4D}\u{18}", "lz4", "lz4 -d"),
      compressed("LZIP\u{1}", "lzip", "lzip -dk"),
      compressed("\u{1F}\u{9D}", "compress", "gzip -dk"),
      compressed("7z\u{BC}\u{AF}\u{27}\u{1C}", "7-Zip", "7z x"),
      compressed("Rar!\u{1A}\u{7}", "RAR", "unrar x"),
      ForeignForm("ustar", at: 257, "it is an archive of files; 'tar -xf FILE' unpacks it"),
    ]

  private static let convert = "'libreoffice --headless --convert-to csv FILE' makes CSV of it"

  private static let documents =
    ["PK\u{3}\u{4}", "PK\u{5}\u{6}"].map {
      ForeignForm(
        $0, "it is a spreadsheet or a zip archive; \(convert), or 'unzip FILE' unpacks it")
    } + [
      ForeignForm(
        "\u{D0}\u{CF}\u{11}\u{E0}\u{A1}\u{B1}\u{1A}\u{E1}",
        "it is a spreadsheet or another document of Office; \(convert)"),
      ForeignForm("%PDF-1.", "it is a PDF document; 'pdftotext -layout FILE' makes text of it"),
    ]

  private static func table(_ mark: String, at offset: Int = 0, _ name: String) -> Self {
    ForeignForm(
      mark, at: offset, "it is a file of \(name); the Python package pandas reads it and writes CSV"
    )
  }

  private static let tables = [
    ForeignForm(
      "PAR1", "it is a Parquet file; 'duckdb -c \"copy 'FILE' to 'FILE.csv'\"' makes CSV of it"),
    table("ARROW1\0\0", "Arrow"), table("FEA1", "Feather"), table("ORC", "ORC"),
    ForeignForm("Obj\u{1}", "it is an Avro file; 'avro-tools tojson FILE' makes JSON of it"),
    table("\u{89}HDF\r\n\u{1A}\n", "HDF5"), table("\u{93}NUMPY", "NumPy"),
    table("RDX2\nX\n", "R"), table("RDX3\nX\n", "R"), table("$FL2@(#)", "SPSS"),
    table("<stata_dta>", "Stata"),
  ]

  private static let stores = [
    ForeignForm(
      "SQLite format 3\0",
      "it is an SQLite database; 'sqlite3 -header -csv FILE \"select * from TABLE\"' makes CSV of it"
    ),
    ForeignForm(
      "DUCK", at: 8,
      "it is a duckdb database; 'duckdb FILE -c \"copy TABLE to 'TABLE.csv'\"' makes CSV of it"),
    ForeignForm(
      "\u{DE}\u{C0}\u{EF}\u{BE}", at: 16,
      "it is a store; 'herald FILE -c \"export CLASS to CLASS.csv\"' makes CSV of it"),
  ]
}
