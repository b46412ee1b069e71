import ArgumentParser

/// The command line of `herald live`.
struct LiveOptions: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: CommandWord.live.rawValue,
    abstract: "Show a query over the lines of standard input as they come.",
    usage: "herald live [<options>] <class> [<query>]",
    discussion: """
      Each line is an object: JSON, CSV with a header, logfmt, or the common log format of web servers. A class that \
      does not exist is made from the first lines. Lines are committed at most 50 ms after they came; one that cannot \
      be added is named on standard error, and the rest goes on.

      The query is one over the class, which it need not name: 'group by status { n: @count } sort(n desc)', 'where ms > \
      100 sort(ms desc) limit(10)', 'value @count', 'sections by status'; without it all objects are shown. At a terminal \
      it is a live table, as of 'watch'; elsewhere the events of 'follow'. It ends with the input, whose last state is \
      printed, by Ctrl-C, or by q.

      Exit status: 0 the input has ended, 1 a statement failed, 2 wrong usage, 4 the store cannot be opened, \
      130 interrupted.
      """)

  @Argument(help: ArgumentHelp("The class of the lines.", valueName: "class"))
  var className: String

  @Argument(help: ArgumentHelp("What to show.", valueName: "query"))
  var query = ""

  @Option(
    help: ArgumentHelp(
      "The file that keeps the objects; without it they are in memory.", valueName: "file"))
  var store: String?

  @Option(
    name: .customShort("c"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Run commands first, to declare the class: -c 'class Request { ms: double } keep 1h'.",
      valueName: "commands"))
  var commands: [String] = []

  @Option(
    name: .customLong("with"),
    help: ArgumentHelp(
      "What 'import' takes behind 'with': 'form log, columns { more1: ms }'.",
      valueName: "options"))
  var importOptions: String?

  @Flag(help: "Write events and errors as one JSON object per line, without a table.")
  var json = false

  @Option(help: ArgumentHelp("When to colour: auto, always or never.", valueName: "when"))
  var color = ColorChoice.auto

  /// Has no effect, because no start-up file is read: scripts may pass it to every run.
  @Flag(name: .customLong("no-rc"), help: .hidden)
  var skipsStartupFile = false

  /// The options of the run.
  var options: Options {
    var options = Options()
    options.store = store
    options.sources = commands.map { .commands($0) }
    options.json = json
    options.color = color
    options.readsStartupFile = false
    options.live = Live(className: className, query: query, importOptions: importOptions)
    return options
  }

  /// What is shown while lines come.
  struct Live: Equatable {
    var className: String
    var query: String
    var importOptions: String?
  }
}
