struct TokensStatement: StatementForm {
  static let command = Command(
    "tokens", ["tokens"], "list the live observers", parse: { _ in Self() })

  func run(in context: Context) {
    context.emit(
      .tokens(
        context.shell.tokens.live.map {
          OutputLine.TokenDescription(
            name: $0.name, session: $0.session.name, subject: $0.subject, keyPaths: $0.keyPaths)
        }))
  }
}
