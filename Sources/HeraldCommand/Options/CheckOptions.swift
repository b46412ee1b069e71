import ArgumentParser

/// The command line of `herald check`.
struct CheckOptions: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: CommandWord.check.rawValue,
    abstract: "Check the store in a file.",
    usage: "herald check [--json] <file>",
    discussion: """
      Prints 'ok', or one problem per line. The file is only read; other programs may use the store \
      meanwhile.

      Exit status: 0 no problems, 2 wrong usage, 4 the file is missing, cannot be read or is not a \
      store, 5 the store has problems, 130 interrupted.
      """)

  @Argument(help: ArgumentHelp("The store's file.", valueName: "file"))
  var file: String

  @OptionGroup var output: FileOutputOptions
}
