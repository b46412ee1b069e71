import ArgumentParser

/// What a command line asks for.
enum CommandLineRequest {
  case run(Options)
  case test(TestOptions)
  /// Help or version: printed on standard output, and all is well.
  case print(String)
  /// One line that says what is wrong with the command line of a command.
  case wrongUsage(String, of: String)

  init(_ arguments: [String]) {
    if let options = Options(plain: arguments) {
      self = .run(options)
    } else {
      self.init(parsing: arguments)
    }
  }

  /// The same by the argument parser, which takes every command line.
  init(parsing arguments: [String]) {
    let arguments = Self.withoutHelpWord(arguments)
    let test = Self.placeOfTest(arguments)
    do {
      // Its options are read apart: some have the names of the shell's.
      if let test {
        self = .test(try TestOptions.parse(Array(arguments[..<test] + arguments[(test + 1)...])))
        return
      }
      var command = try OptionsSyntax.parseAsRoot(arguments)
      if let syntax = command as? OptionsSyntax {
        self = .run(syntax.options)
      } else if command is TestOptions {
        self = .wrongUsage(
          "'\(TestOptions.word)' is the first word but for options", of: "herald test")
      } else {
        // The parser's own commands, such as the one behind --help, speak by what they throw.
        try command.run()
        self = .print("")
      }
    } catch {
      self = .init(parserError: error, of: test == nil ? OptionsSyntax.self : TestOptions.self)
    }
  }

  /// Where `test` stands, if it is the first word that is neither an option nor the value of one.
  private static func placeOfTest(_ arguments: [String]) -> Int? {
    var isValue = false
    for (place, argument) in arguments.enumerated() {
      if isValue {
        isValue = false
      } else if argument == "--" || argument == "--version" {
        return nil
      } else if !argument.hasPrefix("-") || argument == "-" {
        return argument == TestOptions.word ? place : nil
      } else {
        isValue = takingValues.contains(argument)
      }
    }
    return nil
  }

  /// The options that the next argument belongs to.
  private static let takingValues: Set<String> = ["-f", "-c", "--set", "--color"]

  /// `help` and `help test`, as the help itself and the completions name them.
  private static func withoutHelpWord(_ arguments: [String]) -> [String] {
    switch arguments {
    case ["help"]: ["--help"]
    case ["help", TestOptions.word]: [TestOptions.word, "--help"]
    case _: arguments
    }
  }

  private init(parserError error: any Error, of command: any ParsableCommand.Type) {
    guard command.exitCode(for: error) != .success else {
      self = .print(command.fullMessage(for: error))
      return
    }
    let words = command.message(for: error).split(whereSeparator: \.isNewline)
    self = .wrongUsage(
      words.first.map(String.init) ?? "wrong usage",
      of: command == TestOptions.self ? "herald test" : "herald")
  }
}
