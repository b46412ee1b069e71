import Herald

/// `check`, `check FILE`: throws if there are problems.
struct CheckStatement: StatementForm {
  static let command = Command(
    "check", ["check [FILE]"], "check the store, or the one in FILE, for damage",
    [
      "Reads every record and compares it with all others that must agree with it. Prints ok, or "
        + "one problem a line; problems end a script with status 5. One is a query of define that "
        + "names an object which does not exist. FILE is only read, and "
        + "programs that have it open continue; damage that keeps FILE from being opened is "
        + "reported as its problem.",
      "herald check FILE does the same from the command line.",
    ], examples: ["check", "backup to pets.hdb", "check pets.hdb"],
    parse: { parser throws(ShellError) in Self(path: try parser.optionalPath("a store")) })

  /// nil for the session's store.
  let path: Name?

  func run(in context: Context) throws {
    let problems: [String]
    if let path {
      problems = try Self.problems(ofStoreAt: path, context)
    } else {
      problems = try context.store.check()
      try context.checkInterruption(context.span)
    }
    Self.report(problems, context)
    guard problems.isEmpty else {
      throw context.failure(.problems(problems.count, path: path?.text), at: context.span)
    }
  }

  static func problems(ofStoreAt path: Name, _ context: Context) throws -> [String] {
    do {
      return try DynamicStore.check(path: path.text, interruption: context.shell.interruption)
    } catch HeraldError.interrupted {
      throw HeraldError.interrupted
    } catch let error as HeraldError {
      throw context.failure(.opening(error, path: nil), at: path.span)
    }
  }

  static func report(_ problems: [String], _ context: Context) {
    let fields = [
      OutputValue.Field("ok", .bool(problems.isEmpty)),
      OutputValue.Field(name: "problems", value: .list(problems.map { .plain(.string($0)) })),
    ]
    context.emit(.report(problems.isEmpty ? ["ok"] : problems, .map(fields)))
  }
}

extension Interpreter {
  /// Checks the store in a file, as a run of its own: problems determine the exit status and are not
  /// reported as an error.
  package func check(file path: String) {
    let source = Source(name: "herald", text: "")
    let noSpan = SourceSpan(start: 0, end: 0)
    let context = Context(self, source, main)
    do {
      let problems = try CheckStatement.problems(
        ofStoreAt: Name(text: File.expanded(path), span: noSpan), context)
      CheckStatement.report(problems, context)
      if !problems.isEmpty { note(exitStatus: Diagnostic.problems(0, path: nil).exitStatus) }
    } catch { report(located(error, source, noSpan)) }
    output.flush()
  }
}
