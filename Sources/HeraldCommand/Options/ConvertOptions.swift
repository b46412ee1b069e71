import ArgumentParser

/// The command line of `herald convert`.
struct ConvertOptions: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: CommandWord.convert.rawValue,
    abstract: "Make a store, JSON or CSV of a Realm file.",
    usage: "herald convert [--json] [--key <file>] <file> to <new>",
    discussion: """
      The new file is a store, or one of JSON if its name ends in .json, or a new folder with a file for each class \
      if its name ends in .csv; it must not exist. The Realm file is only read. What of it cannot be read is an \
      error, and the rest is converted.

      Exit status: 0 everything was converted, 2 wrong usage, 4 the file or a part of it cannot be read, or the new \
      one not written, 130 interrupted.
      """)

  @Argument(help: ArgumentHelp("The Realm file.", valueName: "file"))
  var file: String

  @Argument(help: ArgumentHelp("The word 'to'.", valueName: "to"))
  var to: String

  @Argument(help: ArgumentHelp("The new store, file or folder.", valueName: "new"))
  var target: String

  @Option(help: ArgumentHelp("The file of its key, if it is encrypted.", valueName: "file"))
  var key: String?

  @OptionGroup var output: FileOutputOptions

  func validate() throws {
    guard to == "to" else {
      throw ValidationError("expected 'to' between the two files, not '\(to)'")
    }
  }
}
