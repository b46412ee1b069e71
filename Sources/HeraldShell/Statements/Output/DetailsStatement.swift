struct DetailsStatement: StatementForm {
  static let command = Command(
    "details", ["details on | off"], "set whether events report what happened to each row",
    [
      "Below each line of an event its rows are listed: what was deleted and inserted, and which "
        + "properties changed, of the object in the row or, by path, of those that it links to, "
        + "with their old and new values. In JSON an update has a member details with deletions, "
        + "insertions and modifications: arrays of objects with row (a position, a map's key), "
        + "old, new, and properties (name, old and new of each). While details are on, the "
        + "contents of the rows of observed collections are kept in memory."
    ], examples: ["details on"],
    parse: { parser throws(ShellError) in Self(isOn: try parser.onOrOff()) })

  let isOn: Bool

  func run(in context: Context) throws {
    context.shell.showsDetails = isOn
    for record in context.shell.tokens.live { try record.keepRows(context) }
  }
}
