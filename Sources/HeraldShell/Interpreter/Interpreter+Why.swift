import Herald

extension Interpreter {
  /// Why the last commit did, or did not, reach a token.
  func why(_ name: Name, _ context: Context) throws {
    let record = try tokens.record(name, context.source)
    var answer = ReasonText(record.name)
    try run(on: record.session, from: context.session) { [self] in
      let reason = try record.token?.why() ?? .ended(.invalidated)
      answer.describe(reason) { id in output(.link(id), record.session) }
    }
    emit(.answer([answer.line], .map(answer.fields)))
  }

  /// What stands behind a token.
  func explain(_ name: Name, _ context: Context) throws {
    let record = try tokens.record(name, context.source)
    var explanation: TokenExplanation?
    try run(on: record.session, from: context.session) {
      explanation = try record.token?.explanation()
    }
    guard let explanation else { return try why(name, context) }
    emit(
      .answer(
        ExplanationText.lines(record.name, explanation),
        .map(ExplanationText.fields(record.name, explanation))))
  }
}
