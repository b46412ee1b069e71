import Herald

extension StatementParser {
  mutating func follow() throws(ShellError) -> FollowSyntax {
    var syntax = FollowSyntax(observed: ObserveSyntax(target: try followedTarget()))
    let isOfStore = if case .store = syntax.observed.target { true } else { false }
    while true {
      if isOfStore, syntax.start == nil, takeIf("from") {
        syntax.start = try versionNumber()
      } else if takeIf("as") {
        syntax.observed.name = try name("a new name")
      } else if takeIf("keypaths", given: syntax.observed.allowing(.keyPaths)) {
        notes?.owner = syntax.observed.target.owner
        syntax.observed.keyPaths = try keyPaths()
      } else if takeIf("depth", given: syntax.observed.allowing(.depth)) {
        syntax.observed.depth = try count("a number of links")
      } else if beginsOption(at: token.start) {
        try option(&syntax)
      } else {
        for word in FollowSyntax.options { note(word: "\(word)") }
        if isOfStore { for word in FollowSyntax.optionsOfStore { note(word: "\(word)") } }
        return syntax
      }
    }
  }

  /// The query ends before the options, which its own language would parse as arithmetic.
  private mutating func followedTarget() throws(ShellError) -> ObserveSyntax.Target {
    if takeIf("store") { return .store }
    guard let end = startOfOptions else { return try groupOrQuery() }
    // A newline ends the query in both languages, without being the end of the text for completion.
    let cut = Source(
      name: source.name, bytes: bytes[..<end] + [Byte.newline], path: source.path,
      firstLine: source.firstLine)
    var parser = StatementParser(cut, from: token.start, notes: notes)
    parser.depth = depth
    let target: ObserveSyntax.Target
    do throws(ShellError) {
      target = try parser.groupOrQuery()
    } catch {
      throw ShellError(error.diagnostic, source, error.span)
    }
    move(to: parser.lastEnd)
    return target
  }

  /// The offset of the statement's first option, outside of brackets.
  private var startOfOptions: Int? {
    var scanner = BracketScanner()
    var lexer = Lexer(bytes, from: token.start, to: lexer.limit)
    while true {
      let offset = lexer.offset
      guard let byte = scanner.step(&lexer) else { return nil }
      guard scanner.isBalanced else { continue }
      if byte == Byte.newline || byte == Byte.semicolon { return nil }
      if byte == Byte.minus, beginsOption(at: offset) { return offset }
    }
  }

  /// Whether there are two hyphens after a blank, followed by a letter; in completion the letter may be
  /// missing.
  private func beginsOption(at offset: Int) -> Bool {
    guard offset > 0, offset + 1 < lexer.limit, Byte.isBlank(bytes[offset - 1]),
      bytes[offset] == Byte.minus, bytes[offset + 1] == Byte.minus
    else { return false }
    return offset + 2 < lexer.limit ? Byte.isNameStart(bytes[offset + 2]) : notes != nil
  }

  private mutating func option(_ syntax: inout FollowSyntax) throws(ShellError) {
    advance()
    advance()
    if takeIf("once") {
      syntax.updates = 0
    } else if takeIf("count") {
      let updates = try count("a number of updates")
      // With --once it has ended before the first update, wherever --count is.
      if syntax.updates != 0 { syntax.updates = updates }
    } else if takeIf("for") {
      syntax.time = try duration()
    } else if case .store = syntax.observed.target, takeIf("snapshot") {
      syntax.beginsWithSnapshot = true
    } else if case .store = syntax.observed.target, takeIf("after") {
      try take(sign: "-")
      try take("file")
      syntax.cursor = try path()
    } else {
      throw expected("'--once', '--count' or '--for'")
    }
  }

  /// `10s`, `500ms`, `1.5m`, `2h`; a number alone is seconds.
  private mutating func duration() throws(ShellError) -> Duration {
    let what = "a time such as 10s"
    guard case .number = token.kind, let number = Double(text), number.isFinite else {
      throw expected(what)
    }
    advance()
    var seconds = 1.0
    if case .word = token.kind, token.start == lastEnd {
      guard let unit = StatementParser.units[text] else { throw expected(what) }
      seconds = unit
      advance()
    }
    return .seconds(min(number * seconds, StatementParser.longestTime))
  }

  /// In seconds.
  private static let units = ["ms": 0.001, "s": 1, "m": 60, "h": 3600]
  /// A hundred years, in seconds: longer times are limited to it.
  private static let longestTime = 3_155_760_000.0
}
