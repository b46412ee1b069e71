import ArgumentParser

/// How the commands that work on a file write what they find.
struct FileOutputOptions: ParsableArguments {
  @Flag(help: "Write the result and errors as one JSON object a line.")
  var json = false

  /// They read no start-up file; scripts may say so to every run all the same.
  @Flag(name: .customLong("no-rc"), help: .hidden)
  var skipsStartupFile = false
}
