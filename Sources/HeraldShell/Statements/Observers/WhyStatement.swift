import Herald

/// `why dogs`: explains why the last commit did, or did not, reach a token.
struct WhyStatement: StatementForm {
  static let command = Command(
    "why", ["why NAME"], "explain why the last commit did, or did not, reach an observer",
    [
      "Prints what the observer was notified of, or why it was not: a key path was not touched, "
        + "the change is too deep, the object is not a row (it does not match, is not in the "
        + "collection, lies beyond the limit, or equals a row where rows are distinct), the "
        + "observed values are unchanged, the condition of a value does not hold or held already, "
        + "the observer was silenced, the session was not refreshed, or the observer is dead. Of several "
        + "commits that were delivered as one, only the last counts."
    ], examples: ["why dogs"],
    parse: { parser throws(ShellError) in Self(name: try parser.name("a token")) })

  let name: Name

  func run(in context: Context) throws {
    let record = try context.shell.tokens.record(name, context.source)
    var text = ReasonText(record.name)
    try context.shell.run(on: record.session, from: context.session) {
      var reason = try record.token?.why() ?? .ended(.invalidated)
      if case .delivered(.update) = reason, case .histogram(let histogram)? = record.reading {
        reason = histogram.lastDelivery
      }
      text.describe(reason) { id in record.session.output(.link(id)) }
    }
    context.emit(.report([text.line], .map(text.fields)))
  }
}
