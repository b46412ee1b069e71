import Herald

/// `keep log 7d`.
struct KeepStatement: StatementForm {
  static let command = Command(
    "keep", ["keep log all | COMMITS | SIZE | TIME", "keep log"],
    "set how much of the log the store keeps",
    [
      "SIZE is a number with kB, MB, GB or TB, TIME one with w, d, h, m or s, COMMITS a number alone. "
        + "Without any of them the setting is printed. The default is 64MB. The setting is the "
        + "store's and makes no version; later commits remove what is over the limit.",
      "A record takes 35 to 45 bytes, and besides them the old values of what the commit changed, the "
        + "values of deleted objects, and the message; in the file each takes some 30 bytes more. So "
        + "64MB are more than a million commits of one number. A store in memory keeps records in "
        + "memory, where one of one number takes some 150 bytes and 64MB are about 330,000.",
      "Keeping a record costs a commit that changes one number 7 % of its instructions in memory, and 10 % "
        + "in a file, of what is not the system's: some 3 microseconds, where a durable commit waits for the "
        + "disk for a quarter of a millisecond or longer. The time, the session "
        + "and the process are 20 bytes of a record. One record serves both directions, with the values "
        + "before the commit alone: those after it are in later records or in the store.",
      "A version that is not kept is an error that names the oldest one that is. A change of classes "
        + "that drops or converts more than 64 MB of values ends what can be read of the time before "
        + "it.",
    ], examples: ["keep log 7d", "keep log 1GB", "keep log 10000", "keep log all"],
    parse: { parser throws(ShellError) in Self(amount: try Self.amount(&parser)) }
  )

  /// nil for `keep log` alone, which prints the setting.
  let amount: Name?

  /// `log 7d`, `log 1GB`, `log 10000`, `log all` after `keep`; nil for `log` alone.
  fileprivate static func amount(_ parser: inout StatementParser) throws(ShellError) -> Name? {
    try parser.take("log")
    if parser.isAtEndOfStatement, !parser.isNoted { return nil }
    return try parser.amount(["7d", "1GB", "10000", "all"])
  }

  func run(in context: Context) throws {
    guard let amount else {
      return context.emit(.values([.plain(.string(try context.store.logRetention.description))]))
    }
    guard let retention = LogRetention(amount.text) else {
      throw context.failure(
        .expected("'7d', '1GB', '10000' or 'all'", found: "'\(amount.text)'"),
        at: amount.span)
    }
    try context.storeOutsideTransaction("keep log").keepLog(retention)
    context.confirm { "keeping \(amount.text) of the log" }
  }
}

extension StatementParser {
  /// A number with a unit, or a word: `7d`, `1GB`, `10000`, `all`. `examples`: some of what may stand here.
  mutating func amount(_ examples: [String]) throws(ShellError) -> Name {
    let start = token.start
    while token.kind == .word || token.kind == .number {
      advance()
      if token.start != lastEnd { break }
    }
    guard lastEnd > start else {
      for word in examples { note(word: word) }
      throw expected(Self.list(examples))
    }
    let span = SourceSpan(start: start, end: lastEnd)
    return Name(text: source.text(span), span: span)
  }

  private static func list(_ examples: [String]) -> String {
    examples.dropLast().map { "'\($0)'" }.joined(separator: ", ")
      + " or '\(examples[examples.count - 1])'"
  }

  /// `1h`, `100000` or `1h, 100000`: which objects a class keeps.
  mutating func objectRetention() throws(ShellError) -> ObjectRetention {
    let examples = ["1h", "100000"]
    let first = try amount(examples)
    let second = takeIf(sign: ",") ? try amount(examples) : nil
    let text = [first.text, second?.text].compactMap(\.self).joined(separator: ", ")
    guard let retention = ObjectRetention(text) else {
      throw failure(
        .expected(Self.list(examples), found: "'\(text)'"),
        at: SourceSpan(start: first.span.start, end: second?.span.end ?? first.span.end))
    }
    return retention
  }
}
