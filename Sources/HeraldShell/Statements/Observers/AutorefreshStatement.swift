import Herald

struct AutorefreshStatement: StatementForm {
  static let command = Command(
    "autorefresh", ["autorefresh on | off"],
    "set whether the session advances at the end of each turn",
    parse: { parser throws(ShellError) in Self(isOn: try parser.onOrOff()) })

  let isOn: Bool

  func run(in context: Context) throws { try context.store.autorefresh = isOn }
}
