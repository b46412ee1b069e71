struct HistoryStatement: StatementForm {
  static let command = Command(
    "history", ["history"], "show the statements typed at the prompt, oldest first",
    [
      "The history is kept between runs, without statements whose first line begins with a space "
        + "and without earlier duplicates."
    ], parse: { _ in Self() })

  func run(in context: Context) { context.emit(.history(context.shell.options.history?() ?? [])) }
}
