import ArgumentParser

/// The command line of `herald repair`.
struct RepairOptions: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: CommandWord.repair.rawValue,
    abstract: "Make a new store from what can still be read of a damaged one.",
    usage: "herald repair [--json] <file> to <new>",
    discussion: """
      Prints what was lost, one loss per line, and how much. The damaged file is only read; the new one \
      must not exist yet.

      Exit status: 0 nothing was lost, 1 the new store cannot be written, 2 wrong usage, 4 the file is \
      missing, cannot be read or contains nothing of a store, 5 something was lost, 130 interrupted.
      """)

  @Argument(help: ArgumentHelp("The damaged store's file.", valueName: "file"))
  var file: String

  @Argument(help: ArgumentHelp("The word 'to'.", valueName: "to"))
  var to: String

  @Argument(help: ArgumentHelp("The new store's file.", valueName: "new"))
  var new: String

  @OptionGroup var output: FileOutputOptions

  func validate() throws {
    guard to == "to" else {
      throw ValidationError("expected 'to' between the file and the new one, not '\(to)'")
    }
  }
}

/// The output options of the commands that work on a file.
struct FileOutputOptions: ParsableArguments {
  @Flag(help: "Write the result and errors as one JSON object per line.")
  var json = false

  /// Has no effect, because these commands read no start-up file: scripts may pass it to every run.
  @Flag(name: .customLong("no-rc"), help: .hidden)
  var skipsStartupFile = false
}
