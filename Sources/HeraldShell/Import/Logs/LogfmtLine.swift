import Herald

/// A line of logfmt: `at=info method=GET path="/a b" ok`.
///
///     line  = [pair *(blanks pair)]
///     pair  = name ["=" [value]]
///     value = text in quotes | text without blanks
///
/// A name alone is true; a name with nothing behind its `=` has no value.
enum LogfmtLine {
  static func entries(of line: CellText.Bytes) throws(LogScanner.Failure) -> [ImportRecord.Entry] {
    var entries: [ImportRecord.Entry] = []
    var indexes: [MapKey: Int] = [:]
    var scanner = LogScanner(line)
    while true {
      scanner.skipBlanks()
      guard scanner.next != nil else { return entries }
      let entry = try pair(&scanner)
      if let index = indexes[MapKey(entry.name)] {
        // The last of several counts, as for programs that read the line into a table.
        entries[index] = entry
      } else {
        indexes[MapKey(entry.name)] = entries.count
        entries.append(entry)
      }
    }
  }

  private static func pair(
    _ scanner: inout LogScanner
  ) throws(LogScanner.Failure) -> ImportRecord.Entry {
    let name = try LogScanner.text(
      scanner.bytes { $0 <= 0x20 || $0 == Byte.equals || $0 == Byte.doubleQuote })
    guard !name.isEmpty else {
      let found = try LogScanner.text(scanner.bytes { $0 <= 0x20 })
      throw .unexpected("expected NAME=VALUE, found \(TextWidth.cut(found.quoted, to: 60))")
    }
    guard scanner.takeIf(Byte.equals) else { return ImportRecord.Entry(name, "true") }
    if scanner.next == Byte.doubleQuote {
      return ImportRecord.Entry(name, try scanner.quoted(), isQuoted: true)
    }
    return ImportRecord.Entry(name, try scanner.word())
  }

  /// Whether a line begins with a pair, has another one, and nothing but pairs and names, so that it is no header of a
  /// table.
  static func isLikely(_ line: CellText.Bytes) -> Bool {
    var scanner = LogScanner(line)
    var count = 0
    while true {
      scanner.skipBlanks()
      guard scanner.next != nil else { return count > 1 }
      let name = scanner.bytes { !Byte.isNamePart($0) && !"-./@".utf8.contains($0) }
      guard !name.isEmpty else { return false }
      if scanner.takeIf(Byte.equals) {
        count += 1
        if scanner.next == Byte.doubleQuote {
          guard (try? scanner.quoted()) != nil else { return false }
        } else {
          _ = scanner.bytes { $0 <= 0x20 }
        }
      }
      guard count > 0, scanner.next.map({ $0 <= 0x20 }) ?? true else { return false }
    }
  }
}
