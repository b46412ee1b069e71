import Herald

extension Interpreter {
  /// Carries out `herald live CLASS QUERY`: adds the lines of standard input to a class while a query is shown, as a table on
  /// a screen, as the events of `follow` elsewhere. Ends with the input, by an interruption, or when the reader leaves.
  ///
  /// - Parameters:
  ///   - query: over the class, which need not be named; all objects if it is empty.
  ///   - importOptions: what may stand behind `with` in an `import`; nil for nothing.
  package func live(_ className: String, _ query: String, with importOptions: String?) {
    let text = "import - into \(className) live" + (importOptions.map { " with \($0)" } ?? "")
    defer {
      live?.confirm()
      live = nil
      output.flush()
    }
    guard begin(Source(name: "herald live", text: text)) else { return }
    let query = PipedQuery(query, of: className, isName: { presentSchema.isTaken($0) })
    let isOnScreen = options.watchScreen != nil && mode != .json && !query.isValue
    guard run(Source(name: "query", text: (isOnScreen ? "watch " : "follow ") + query.text)),
      live?.isOver ?? false, !query.isValue
    else { return }
    run(Source(name: "query", text: "show " + withoutRestrictions(query.text)))
  }

  /// Opens the import, and waits until its class is there.
  private func begin(_ source: Source) -> Bool {
    var span = SourceSpan(start: 0, end: source.bytes.count)
    do {
      var parser = parser(of: source)
      let statement = try parser.next()
      parser.skipSeparators()
      guard let statement, let form = statement.form as? ImportStatement, parser.token.kind == .end
      else { throw parser.expected("the name of a class, and options of 'import'") }
      span = statement.span
      var context = Context(self, source, main)
      context.span = span
      let waiting = try CommitWaiting(context, word: "live")
      let live = try LiveImport(form, context)
      self.live = live
      while !live.hasBegun, !live.isOver {
        restSessions()
        // Nobody reads the output any more.
        guard try waiting.awaitNext(adding: live) else { return false }
      }
      return live.hasBegun
    } catch {
      let failure = located(error, source, span)
      if !failure.isReported { report(failure) }
      return false
    }
  }

  /// A query without the key paths and the depth that `follow` takes behind it.
  private func withoutRestrictions(_ text: String) -> String {
    let source = Source(name: "query", text: text)
    var parser = parser(of: source)
    guard (try? ObserveSyntax.groupOrQuery(&parser)) != nil else { return text }
    return source.text(SourceSpan(start: 0, end: parser.lastEnd))
  }
}
