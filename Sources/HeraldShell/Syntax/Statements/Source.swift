package import Herald

/// A text of statements: a script, an argument of `-c`, a line typed at the prompt.
///
/// Statements and errors keep their source, so that an error in a block that was typed long ago
/// still shows its line.
package final class Source: Sendable {
  /// The name of the text in errors: a file's path, `standard input`.
  package let name: String
  package let bytes: [UInt8]
  /// The path of the file; nil for text that was typed or came through a pipe.
  package let path: String?
  /// The number of the text's first line: above 1 for a part of a longer text.
  package let firstLine: Int
  /// What is kept in a file instead of `bytes`, in the order of the offsets.
  let spooled: [SpooledAdditions]

  package init(
    name: String, bytes: [UInt8], path: String? = nil, firstLine: Int = 1,
    without spool: BlockSpool? = nil
  ) {
    self.name = name
    self.path = path
    spooled = spool?.additions ?? []
    // A byte order mark, which editors on other systems write, is not part of the first statement.
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    self.bytes = bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes
    self.firstLine = firstLine
  }

  package convenience init(name: String, text: String) {
    self.init(name: name, bytes: Array(text.utf8))
  }

  package func text(_ span: SourceSpan) -> String {
    let start = min(span.start, bytes.count)
    return String(decoding: bytes[start..<max(start, min(span.end, bytes.count))], as: UTF8.self)
  }
}

/// A position in a source, counted from 1; the column is in characters.
package struct SourcePosition: Equatable, Sendable {
  package var line: Int
  package var column: Int
}

extension Source {
  /// O(bytes before the offset): used only when an error is shown.
  package func position(of offset: Int) -> SourcePosition {
    let position = min(offset, bytes.count)
    let start = lineStart(of: position)
    let line = line(at: start)
    let before = String(decoding: bytes[start..<position], as: UTF8.self)
    return SourcePosition(line: line, column: before.count + 1)
  }

  /// The number of the line that begins at an offset.
  private func line(at start: Int) -> Int {
    var line = firstLine + bytes[..<start].count(where: { $0 == Byte.newline })
    for additions in spooled where additions.offset <= start { line += additions.lineCount }
    return line
  }

  /// The number of the line with the first of some additions that are not in the text.
  func firstLine(of additions: SpooledAdditions) -> Int {
    line(at: additions.offset) - additions.lineCount
  }

  /// The line that contains an offset, without its newline.
  func line(around offset: Int) -> Range<Int> {
    let start = lineStart(of: min(offset, bytes.count))
    var end = bytes[start...].firstIndex(of: Byte.newline) ?? bytes.count
    if end > start, bytes[end - 1] == Byte.carriageReturn { end -= 1 }
    return start..<max(start, end)
  }

  private func lineStart(of offset: Int) -> Int {
    bytes[..<offset].lastIndex(of: Byte.newline).map { $0 + 1 } ?? 0
  }
}

extension Source {
  /// The path of a file that a statement of this text names: `~/` is the home folder, and a relative path begins at the
  /// folder of the script. The only function that decides that.
  func filePath(_ name: String) -> String {
    let name = File.expanded(name)
    guard !name.hasPrefix("/"), name != "-", !name.contains("://"),
      let path, let slash = path.lastIndex(of: "/")
    else { return name }
    // A path through `..` is left to the system: a folder may be a link.
    var rest = name[...]
    while rest.hasPrefix("./") { rest = rest.dropFirst(2) }
    return String(path[...slash] + rest)
  }

  /// The same with its whole text in memory.
  var whole: Source {
    get throws(File.Failure) {
      if spooled.isEmpty { return self }
      var text: [UInt8] = []
      var start = 0
      for additions in spooled {
        text += bytes[start..<additions.offset]
        text += try additions.bytes
        start = additions.offset
      }
      text += bytes[start...]
      return Source(name: name, bytes: text, path: path, firstLine: firstLine)
    }
  }
}
