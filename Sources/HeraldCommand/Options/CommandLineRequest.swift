import ArgumentParser

/// What a command line asks for.
enum CommandLineRequest {
  case run(Options)
  /// Help or version: printed on standard output, and all is well.
  case print(String)
  /// One line that says what is wrong with the command line.
  case wrongUsage(String)

  init(_ arguments: [String]) {
    do {
      var command = try Options.parseAsRoot(arguments)
      if let options = command as? Options {
        self = .run(options)
      } else {
        // The parser's own commands, such as the one behind --help, speak by what they throw.
        try command.run()
        self = .print("")
      }
    } catch {
      self = .init(parserError: error)
    }
  }

  private init(parserError error: any Error) {
    guard Options.exitCode(for: error) != .success else {
      self = .print(Options.fullMessage(for: error))
      return
    }
    let words = Options.message(for: error).split(whereSeparator: \.isNewline)
    self = .wrongUsage(words.first.map(String.init) ?? "wrong usage")
  }
}
