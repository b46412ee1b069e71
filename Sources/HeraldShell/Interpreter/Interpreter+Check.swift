import Herald

extension Interpreter {
  /// Checks the session's store, or the one in a file; fails where anything is wrong with it.
  func check(_ path: Name?, _ span: SourceSpan, _ context: Context) throws {
    let problems: [String]
    if let path {
      problems = try self.problems(ofStoreAt: path, context)
    } else {
      problems = try store(context).check()
      try checkInterruption(context, span)
    }
    emit(problems: problems)
    guard problems.isEmpty else {
      throw ShellError(.problems(problems.count, path: path?.text), context.source, span)
    }
  }

  /// Checks the store in a file, as a run of its own: the problems decide the exit status and are no
  /// error besides.
  package func check(file path: String) {
    let source = Source(name: "herald", text: "")
    let nowhere = SourceSpan(start: 0, end: 0)
    let context = Context(source: source, session: main)
    do {
      let problems = try problems(ofStoreAt: Name(text: path, span: nowhere), context)
      emit(problems: problems)
      if !problems.isEmpty { note(exitStatus: Complaint.problems(0, path: nil).exitStatus) }
    } catch {
      report(placed(error, source, nowhere))
    }
    output.flush()
  }

  private func problems(ofStoreAt path: Name, _ context: Context) throws -> [String] {
    do {
      return try Store.check(path: path.text, interruption: interruption)
    } catch HeraldError.interrupted {
      throw HeraldError.interrupted
    } catch let error as HeraldError {
      throw ShellError(.opening(error), context.source, path.span)
    }
  }

  private func emit(problems: [String]) {
    let fields = [
      OutputValue.Field(name: "ok", value: .plain(.bool(problems.isEmpty))),
      OutputValue.Field(
        name: "problems", value: .list(problems.map { .plain(.string($0)) })),
    ]
    emit(.answer(problems.isEmpty ? ["ok"] : problems, .map(fields)))
  }
}
