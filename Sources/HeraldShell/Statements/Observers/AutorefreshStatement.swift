import Herald

extension Command {
  static let autorefresh = Command(
    "autorefresh", ["autorefresh on | off"],
    "set whether the session advances at the end of each turn",
    parse: { parser throws(ShellError) in
      AutorefreshStatement(isOn: try parser.onOrOff())
    })
}

struct AutorefreshStatement: StatementForm {
  let isOn: Bool

  func run(in context: Context) throws { try context.store.autorefresh = isOn }
}
