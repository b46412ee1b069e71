/// The format of exported objects, selected by the statement or by the file name extension.
enum ExportFormat: Equatable {
  case array, lines, csv

  init?(path: String) {
    let name = path.lowercased()
    if name.hasSuffix(".json") {
      self = .array
    } else if name.hasSuffix(".jsonl") || name.hasSuffix(".ndjson") {
      self = .lines
    } else if name.hasSuffix(".csv") {
      self = .csv
    } else {
      return nil
    }
  }
}

extension OutputMode {
  /// The format of tables in the modes whose rows `import` reads.
  var rowFormat: ExportFormat? {
    switch self {
    case .csv: .csv
    case .jsonl: .lines
    case .text, .line, .markdown, .json: nil
    }
  }
}
