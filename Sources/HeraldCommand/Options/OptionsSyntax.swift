import ArgumentParser
import HeraldShell
import Synchronization

/// The command line, as `herald --help` describes it.
struct OptionsSyntax: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "herald",
    abstract: "An observable object database, and its shell.",
    usage:
      "herald [<store>] [<options>] [-- <argument> ...]\n       herald test [<options>] <file> ...\n"
      + "       herald help [<command>]",
    discussion: """
      Commands come from -f and -c, in the order given; without them from standard input: a prompt \
      at a terminal, a script otherwise. 'herald -c help' lists the commands, 'herald -c tour' \
      explains them.

      Exit status: 0 success, 1 a statement failed, 2 wrong usage, 3 an expectation failed, \
      4 a store or script could not be opened, 5 'check' found problems or 'repair' losses, 130 interrupted.
      """,
    version: "herald \(Version.current)",
    subcommands: CommandWord.allCases.map(\.syntax))

  @Argument(
    help: ArgumentHelp(
      "The store's file, or nats://HOST/STREAM; without it, a store in memory.", valueName: "store")
  )
  private var store: String?

  @Option(
    name: .customShort("f"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Run a script; '-' is standard input. Can be repeated.", valueName: "script"),
    transform: { ScriptArgument.next(.file($0)) })
  private var files: [ScriptArgument] = []

  @Option(
    name: .customShort("c"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Run commands. Can be repeated.", valueName: "commands"),
    transform: { ScriptArgument.next(.commands($0)) })
  private var commands: [ScriptArgument] = []

  @Option(
    name: .customLong("set"), parsing: .unconditionalSingleValue, help: .setting,
    transform: VariableSetting.init)
  private var settings: [VariableSetting] = []

  @Flag(help: "Write every result, event and error as one JSON object per line.")
  private var json = false

  @Flag(
    help: ArgumentHelp(
      "Answer each statement with at least one line of JSON, a failure too, and continue after it.")
  )
  private var answers = false

  @Flag(help: "Open the store read-only.")
  private var readOnly = false

  @Option(
    help: ArgumentHelp(
      "The file of a store that follows a stream; a temporary one by default.", valueName: "file"))
  private var cache: String?

  @Option(
    help: ArgumentHelp(
      "The key of an encrypted Realm file: a file of 64 bytes or 128 hexadecimal digits.",
      valueName: "file"))
  private var key: String?

  @Option(
    name: .customLong("mode"),
    help: ArgumentHelp(
      "The permissions of a new store, 0600 by default; 0660 includes its group.",
      valueName: "mode"),
    transform: FileMode.init)
  private var fileMode = FileMode()

  @Option(
    name: .customLong("max-size"),
    help: ArgumentHelp("The maximum size of the store: 500M, 20G.", valueName: "size"),
    transform: StoreSize.init)
  private var sizeLimit: StoreSize?

  @Option(
    name: .customLong("max-write"),
    help: ArgumentHelp(
      "The maximum memory of one write: 500M, 2G; a quarter of the machine's by default.",
      valueName: "size"),
    transform: StoreSize.init)
  private var writeLimit: StoreSize?

  @Flag(help: "Continue after a statement that failed.")
  private var keepGoing = false

  @Flag(help: "Write each statement before its output.")
  private var echo = false

  @Option(help: ArgumentHelp("When to colour: auto, always or never.", valueName: "when"))
  private var color = ColorChoice.auto

  @Flag(
    name: .customLong("rc"), help: "Read the start-up file, which otherwise only a prompt does.")
  private var readsStartupFile = false

  @Flag(name: .customLong("no-rc"), help: "Do not read the start-up file.")
  private var skipsStartupFile = false

  @Flag(help: "Show no greeting at the prompt.")
  private var quiet = false

  var options: Options {
    Options(
      store: store, sources: (files + commands).sorted { $0.position < $1.position }.map(\.kind),
      settings: settings, json: json, answers: answers, readOnly: readOnly, cache: cache,
      key: key, fileMode: fileMode,
      sizeLimit: sizeLimit, writeLimit: writeLimit, keepGoing: keepGoing, echo: echo,
      color: color, readsStartupFile: skipsStartupFile ? false : readsStartupFile ? true : nil,
      quiet: quiet)
  }
}

extension ArgumentHelp {
  static let setting = ArgumentHelp(
    "Set a variable: to a literal if the value is one, else to a string. Can be repeated.",
    valueName: "name=value")
}

extension ColorChoice: ExpressibleByArgument {}

/// One `-f` or `-c` with its position among the others.
///
/// The argument parser collects the values of each option separately, but transforms them in the order of
/// the command line: numbering them there keeps the order across both options.
struct ScriptArgument: Sendable {
  enum Kind: Hashable, Sendable {
    case file(String)
    case commands(String)
  }

  let position: Int
  let kind: Kind

  private static let count = Atomic(0)

  static func next(_ kind: Kind) -> ScriptArgument {
    ScriptArgument(position: count.add(1, ordering: .relaxed).newValue, kind: kind)
  }
}

/// One `--set`: a variable and its value.
struct VariableSetting: Equatable, Sendable {
  let name: String
  let value: String

  init(_ argument: String) throws {
    guard let sign = argument.firstIndex(of: "=") else {
      throw ValidationError("'=' is missing: use name=value")
    }
    name = String(argument[..<sign])
    value = String(argument[argument.index(after: sign)...])
    guard Interpreter.isVariableName(name) else {
      throw ValidationError("'\(name)' is not a valid variable name")
    }
  }
}
