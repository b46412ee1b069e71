struct TimingStatement: StatementForm {
  static let command = Command(
    "timing", ["timing on | off"], "set whether the time of each statement is printed",
    ["The time includes the deliveries after the statement. It is not printed in JSON."],
    examples: ["timing on"],
    parse: { parser throws(ShellError) in Self(isOn: try parser.onOrOff()) })

  let isOn: Bool

  var objectsRead: ObjectsRead { .none }

  func run(in context: Context) { context.shell.isTiming = isOn }
}
