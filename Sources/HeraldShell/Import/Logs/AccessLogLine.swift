import Herald

/// A line of the common or the combined log format of web servers.
///
///     line = host ident user "[" time "]" request status bytes [referer agent *more]
///
/// `-` is no value. What follows the agent, as the time that a request took, are `more1`, `more2` and so on, whether it is
/// in quotes or not.
enum AccessLogLine {
  static func entries(of line: CellText.Bytes) throws(LogScanner.Failure) -> [ImportRecord.Entry] {
    var scanner = LogScanner(line)
    var entries = try client(&scanner)
    entries.append(ImportRecord.Entry("time", try time(&scanner)))
    entries += try request(&scanner)
    entries.append(ImportRecord.Entry("status", try number(&scanner, "a status")))
    entries.append(ImportRecord.Entry("bytes", try number(&scanner, "a number of bytes")))
    for index in 0... {
      scanner.skipBlanks()
      guard let next = scanner.next else { break }
      let names = ["referer", "agent"]
      let name = index < names.count ? names[index] : "more\(index - names.count + 1)"
      let isQuoted = next == Byte.doubleQuote
      let text = value(isQuoted ? try scanner.quoted() : try scanner.word())
      entries.append(ImportRecord.Entry(name, text, isQuoted: isQuoted))
    }
    return entries
  }

  private static func value(_ text: String) -> String? { text == "-" ? nil : text }

  private static func client(
    _ scanner: inout LogScanner
  ) throws(LogScanner.Failure) -> [ImportRecord.Entry] {
    let expected = LogScanner.Failure.unexpected("expected HOST IDENT USER [TIME]")
    var entries: [ImportRecord.Entry] = []
    for name in ["host", "ident", "user"] {
      let word = try scanner.word()
      guard !word.isEmpty, scanner.takeIf(UInt8(ascii: " ")) else { throw expected }
      entries.append(ImportRecord.Entry(name, value(word)))
    }
    guard scanner.takeIf(Byte.openBracket) else { throw expected }
    return entries
  }

  /// `30/Nov/2026:10:00:00 +0100`, as the text of ISO 8601.
  private static func time(_ scanner: inout LogScanner) throws(LogScanner.Failure) -> String {
    guard let text = try scanner.text(before: Byte.closeBracket), let time = iso8601(text) else {
      throw .unexpected("expected a time such as [30/Nov/2026:10:00:00 +0100]")
    }
    return time
  }

  private static func iso8601(_ text: String) -> String? {
    // Web servers write each part with the same number of digits.
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].utf8.count == 20, parts[1].utf8.count == 5 else { return nil }
    let date = parts[0].split(separator: ":", maxSplits: 1)
    guard date.count == 2, date[1].utf8.count == 8 else { return nil }
    let fields = date[0].split(separator: "/")
    guard fields.count == 3, fields[0].utf8.count == 2, fields[2].utf8.count == 4,
      let month = months.firstIndex(of: String(fields[1]))
    else { return nil }
    let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
    let zone = "\(parts[1].prefix(3)):\(parts[1].suffix(2))"
    let iso = "\(fields[2])-\(number)-\(fields[0])T\(date[1])\(zone)"
    return Timestamp(iso8601: iso) == nil ? nil : iso
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// `"GET /path HTTP/1.1"`; whatever else a client has sent is a path.
  private static func request(
    _ scanner: inout LogScanner
  ) throws(LogScanner.Failure) -> [ImportRecord.Entry] {
    scanner.skipBlanks()
    guard scanner.next == Byte.doubleQuote else {
      throw .unexpected("expected a request in quotes")
    }
    let text = try scanner.quoted()
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, words[2].hasPrefix("HTTP/"), !words[0].isEmpty else {
      return [
        ImportRecord.Entry("method", nil), ImportRecord.Entry("path", value(text), isQuoted: true),
        ImportRecord.Entry("protocol", nil),
      ]
    }
    return zip(["method", "path", "protocol"], words).map {
      ImportRecord.Entry($0, String($1), isQuoted: true)
    }
  }

  /// The text of a number, or nil for `-`.
  private static func number(
    _ scanner: inout LogScanner, _ what: String
  ) throws(LogScanner.Failure) -> String? {
    scanner.skipBlanks()
    let text = try scanner.word()
    if text == "-" { return nil }
    guard !text.isEmpty, text.utf8.allSatisfy(Byte.isDigit) else {
      throw .unexpected("expected \(what), found \(TextWidth.cut(text.quoted, to: 60))")
    }
    return text
  }
}
