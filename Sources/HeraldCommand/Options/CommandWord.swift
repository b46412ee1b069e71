import ArgumentParser
import HeraldServeOptions

/// The first words of a command line that select a command other than the shell. A store with such a name
/// is opened by a path: `./check`.
enum CommandWord: String, CaseIterable {
  case test, check, repair, replicate, convert, live, serve

  /// Returns the command and its position; nil if the first argument that is neither an option nor the value
  /// of one is not a command.
  static func first(in arguments: [String]) -> (word: CommandWord, position: Int)? {
    var isValue = false
    for (position, argument) in arguments.enumerated() {
      if isValue {
        isValue = false
      } else if argument == "--" || argument == "--version" {
        return nil
      } else if !argument.hasPrefix("-") || argument == "-" {
        return CommandWord(rawValue: argument).map { ($0, position) }
      } else {
        isValue = takingValues.contains(argument)
      }
    }
    return nil
  }

  /// The options that take the next argument as their value.
  private static let takingValues: Set<String> = [
    "-f", "-c", "--set", "--color", "--mode", "--max-size", "--max-write", "--cache", "--key",
    "--store", "--with",
  ]

  /// The type that describes and parses its command line.
  var syntax: any ParsableCommand.Type {
    switch self {
    case .test: TestOptions.self
    case .check: CheckOptions.self
    case .repair: RepairOptions.self
    case .replicate: ReplicateOptions.self
    case .convert: ConvertOptions.self
    case .live: LiveOptions.self
    case .serve: ServeOptions.self
    }
  }
}
