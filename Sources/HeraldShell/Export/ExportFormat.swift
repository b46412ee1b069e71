/// The format of exported objects, selected by the file name extension.
enum ExportFormat {
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
