import Herald

/// `events`, `events dogs`: emits events again.
struct EventsStatement: StatementForm {
  static let command = Command(
    "events", ["events [NAME]"], "show the last events again, of one observer or of all",
    [
      "At a prompt, events of other processes' commits are printed above the line that is being "
        + "typed, as soon as they happen; of more than 200 lines at once only the number is "
        + "printed. The last 10,000 events are kept."
    ], examples: ["events dogs"],
    parse: { parser throws(ShellError) in Self(name: try parser.optionalName("a token"))
    })

  let name: Name?

  func run(in context: Context) throws {
    for event in try context.shell.tokens.events(name, context.source) {
      context.emit(.event(event))
    }
  }
}
