import ArgumentParser

/// The command line of `herald test`.
struct TestOptions: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: CommandWord.test.rawValue,
    abstract: "Run scripts as test cases, each in its own store in memory.",
    usage: "herald test [--summary] [--echo] [--set <name=value> ...] <file> ...",
    discussion: """
      A script passes if no statement and no expectation in it fails. The output is TAP, \
      version 14. The start-up file is not read.

      Exit status: 0 all pass; else that of the first script that fails: 1 a statement failed, \
      3 an expectation failed, 4 the script could not be read; 130 interrupted.
      """)

  @Argument(
    help: ArgumentHelp("The scripts.", valueName: "file"), completion: .file(extensions: ["herald"])
  )
  var files: [String]

  @Flag(help: "Print the errors and how many passed, not TAP.")
  var summary = false

  @Flag(help: "Write each statement and its output, as comments.")
  var echo = false

  @Option(
    name: .customLong("set"), parsing: .unconditionalSingleValue, help: .setting,
    transform: VariableSetting.init)
  var settings: [VariableSetting] = []
}
