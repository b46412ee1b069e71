import Herald

/// `refresh`: advances the session; confirmed only at a prompt.
struct RefreshStatement: StatementForm {
  static let command = Command(
    "refresh", ["refresh"],
    "advance the session to the newest version and deliver what is "
      + "pending",
    [
      "It prints nothing in a script. Each turn ends so, unless autorefresh is off; only then refresh is "
        + "needed."
    ], parse: { _ in Self() })

  func run(in context: Context) throws {
    let isNew = try context.store.refresh()
    context.confirm { isNew ? "advanced" : "nothing new" }
  }
}
