import ArgumentParser
import HeraldServeOptions
import HeraldShell

/// The action that a command line requests.
enum CommandLineRequest {
  case run(Options)
  case test(TestOptions)
  case check(CheckOptions)
  case repair(RepairOptions)
  case replicate(ReplicateOptions)
  case convert(ConvertOptions)
  /// The arguments of the server's program, which have been checked.
  case serve([String])
  /// Help or version: printed on standard output, with exit status 0.
  case print(String)
  /// A message of one line about the command line of a command.
  case wrongUsage(String, of: String)

  init(_ arguments: [String]) {
    if let end = arguments.firstIndex(of: "--"),
      case .run(var options) = CommandLineRequest(Array(arguments[..<end]))
    {
      options.arguments = Array(arguments[(end + 1)...])
      self = .run(options)
    } else if let options = Options(plain: arguments) {
      self = .run(options)
    } else {
      self.init(parsing: arguments)
    }
  }

  /// Parses any command line with the argument parser.
  init(parsing arguments: [String]) {
    if let topic = Self.helpTopic(arguments) {
      self = topic
      return
    }
    let arguments = Self.withoutHelpWord(arguments)
    let command = CommandWord.first(in: arguments)
    do {
      // A command's options are parsed separately, because some have names of the shell's options.
      if let (word, position) = command {
        let rest = Array(arguments[..<position] + arguments[(position + 1)...])
        switch word {
        case .test: self = .test(try TestOptions.parse(rest))
        case .check: self = .check(try CheckOptions.parse(rest))
        case .repair: self = .repair(try RepairOptions.parse(rest))
        case .replicate: self = .replicate(try ReplicateOptions.parse(rest))
        case .convert: self = .convert(try ConvertOptions.parse(rest))
        case .live: self = .run(try LiveOptions.parse(rest).options)
        case .serve:
          _ = try ServeOptions.parse(rest)
          self = .serve(rest)
        }
        return
      }
      var command = try OptionsSyntax.parseAsRoot(arguments)
      if let syntax = command as? OptionsSyntax {
        self = .run(syntax.options)
      } else if let word = CommandWord.allCases.first(where: { $0.syntax == type(of: command) }) {
        self = .wrongUsage(
          "'\(word.rawValue)' must come before other words", of: "herald \(word.rawValue)")
      } else {
        // The parser's own commands, such as the one for --help, throw their output.
        try command.run()
        self = .print("")
      }
    } catch { self = .init(parserError: error, of: command?.word) }
  }

  /// Translates `help` and `help test`, which the help text and the completions offer.
  private static func withoutHelpWord(_ arguments: [String]) -> [String] {
    guard arguments.first == "help" else { return arguments }
    if arguments.count == 1 { return ["--help"] }
    guard arguments.count == 2, let word = CommandWord(rawValue: arguments[1]) else {
      return arguments
    }
    return [word.rawValue, "--help"]
  }

  /// The description of a word of the language: `herald help tour`, `herald help key paths`. Nil if the
  /// arguments are no such words.
  private static func helpTopic(_ arguments: [String]) -> CommandLineRequest? {
    guard arguments.first == "help", arguments.count > 1,
      !arguments.contains(where: { $0.hasPrefix("-") }),
      arguments.count > 2 || CommandWord(rawValue: arguments[1]) == nil
    else { return nil }
    let word = arguments.dropFirst().joined(separator: " ")
    if let text = HelpText().topic(word) { return .print(text) }
    return .wrongUsage(HelpText.unknown(word), of: "herald")
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
