import ArgumentParser

/// The command line of `herald check`.
struct CheckOptions: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: CommandWord.check.rawValue,
    abstract: "Check the store in a file.",
    usage: "herald check [--json] <file>",
    discussion: """
      Prints 'ok', or one problem a line. The file is only read; other programs may go on using the \
      store.

      Exit status: 0 all well, 2 wrong usage, 4 the file is missing, cannot be read or is not a \
      store, 5 something is wrong with the store, 130 interrupted.
      """)

  @Argument(help: ArgumentHelp("The store's file.", valueName: "file"))
  var file: String

  @OptionGroup var output: FileOutputOptions
}
