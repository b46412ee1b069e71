import ArgumentParser

/// What a command line asks for.
enum CommandLineRequest {
  case run(Options)
  case test(TestOptions)
  case check(CheckOptions)
  case repair(RepairOptions)
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
    let command = CommandWord.first(in: arguments)
    do {
      // The options of a command are read apart: some have the names of the shell's.
      if let (word, position) = command {
        let rest = Array(arguments[..<position] + arguments[(position + 1)...])
        switch word {
        case .test: self = .test(try TestOptions.parse(rest))
        case .check: self = .check(try CheckOptions.parse(rest))
        case .repair: self = .repair(try RepairOptions.parse(rest))
        }
        return
      }
      var command = try OptionsSyntax.parseAsRoot(arguments)
      if let syntax = command as? OptionsSyntax {
        self = .run(syntax.options)
      } else if let word = CommandWord.allCases.first(where: { $0.syntax == type(of: command) }) {
        self = .wrongUsage(
          "'\(word.rawValue)' is the first word but for options", of: "herald \(word.rawValue)")
      } else {
        // The parser's own commands, such as the one behind --help, speak by what they throw.
        try command.run()
        self = .print("")
      }
    } catch {
      self = .init(parserError: error, of: command?.word)
    }
  }

  /// `help` and `help test`, as the help itself and the completions name them.
  private static func withoutHelpWord(_ arguments: [String]) -> [String] {
    guard arguments.first == "help" else { return arguments }
    if arguments.count == 1 { return ["--help"] }
    guard arguments.count == 2, let word = CommandWord(rawValue: arguments[1]) else {
      return arguments
    }
    return [word.rawValue, "--help"]
  }

  private init(parserError error: any Error, of word: CommandWord?) {
    let syntax = word?.syntax ?? OptionsSyntax.self
    guard syntax.exitCode(for: error) != .success else {
      self = .print(syntax.fullMessage(for: error))
      return
    }
    let words = syntax.message(for: error).split(whereSeparator: \.isNewline)
    self = .wrongUsage(
      words.first.map(String.init) ?? "wrong usage",
      of: (["herald"] + [word?.rawValue].compactMap(\.self)).joined(separator: " "))
  }
}
