import ArgumentParser

/// The output options of the commands that work on a file.
struct FileOutputOptions: ParsableArguments {
  @Flag(help: "Write the result and errors as one JSON object per line.")
  var json = false

  /// Has no effect, because these commands read no start-up file: scripts may pass it to every run.
  @Flag(name: .customLong("no-rc"), help: .hidden)
  var skipsStartupFile = false
}
