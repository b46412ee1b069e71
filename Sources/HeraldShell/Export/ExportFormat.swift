/// How exported objects are written: told by the ending of the file's name.
enum ExportFormat {
  case array, lines, csv

  init?(path: String) {
    let ending = path.lowercased()
    if ending.hasSuffix(".json") {
      self = .array
    } else if ending.hasSuffix(".jsonl") || ending.hasSuffix(".ndjson") {
      self = .lines
    } else if ending.hasSuffix(".csv") {
      self = .csv
    } else {
      return nil
    }
  }
}
