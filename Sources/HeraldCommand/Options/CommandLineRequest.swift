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
      guard let options = try Options.parseAsRoot(arguments) as? Options else {
        self = .wrongUsage("herald takes no subcommands")
        return
      }
      self = .run(options)
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
