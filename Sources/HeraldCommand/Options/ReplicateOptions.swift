import ArgumentParser

/// The command line of `herald replicate`.
struct ReplicateOptions: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: CommandWord.replicate.rawValue,
    abstract: "Put commits of a machine's file back into a stream that has lost them.",
    usage: "herald replicate [--json] <file> to <address>",
    discussion: """
      Each is the version that it was, and every machine takes them in. Refuses if others have committed \
      since the stream lost them. A stream without any commits becomes one of the whole file. All commits are \
      put back or none; what was interrupted may be repeated.

      Exit status: 0 the stream has every commit of the file, 1 they were not put back, 2 wrong usage, 4 the \
      file is missing, cannot be read or is not a store, 130 interrupted.
      """)

  @Argument(help: ArgumentHelp("The file of a machine.", valueName: "file"))
  var file: String

  @Argument(help: ArgumentHelp("The word 'to'.", valueName: "to"))
  var to: String

  @Argument(help: ArgumentHelp("The stream: nats://HOST/STREAM.", valueName: "address"))
  var address: String

  @OptionGroup var output: FileOutputOptions

  func validate() throws {
    guard to == "to" else {
      throw ValidationError("expected 'to' between the file and the address, not '\(to)'")
    }
  }
}
