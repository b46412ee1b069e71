public import ArgumentParser

/// The command line of `herald serve`, for the program and for the server that it starts.
public struct ServeOptions: ParsableCommand {
  public static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serve a store over HTTP: live queries, writes, and a page.",
    usage: "herald serve <store> [--listen <address>] [--token-file <file>] [--read-only] "
      + "[--origin <url>] ...",
    discussion: """
      The page is at http://127.0.0.1:8080/, the rest of the addresses in herald-serve(1). Only this machine is \
      served unless --listen has another address, which needs --token-file. The server is a program of its own, \
      herald-serve, beside this one or on the PATH.

      Exit status: 0 ended by SIGINT or SIGTERM, 2 wrong usage, 4 the store could not be opened, or the address not \
      be listened at.
      """)

  @Argument(help: ArgumentHelp("The store's file.", valueName: "store"))
  public var store: String

  @Option(
    help: ArgumentHelp(
      "Where to listen: an address of this machine and a port; 127.0.0.1:8080 by default, port 0 for any.",
      valueName: "address"))
  public var listen = "127.0.0.1:8080"

  @Option(
    help: ArgumentHelp(
      "A file whose first line is what requests must have as 'Authorization: Bearer'.",
      valueName: "file"))
  public var tokenFile: String?

  @Flag(help: "Open the store read-only, and refuse writes.")
  public var readOnly = false

  @Option(
    help: ArgumentHelp(
      "The origin of pages from elsewhere that may read and write. Can be repeated.",
      valueName: "url"))
  public var origin: [String] = []

  @Option(
    help: ArgumentHelp("The number of connections at most.", valueName: "count"))
  public var maxConnections = 12_000

  @Option(
    help: ArgumentHelp("How long statements may run, in seconds.", valueName: "seconds"))
  public var timeout = 10.0

  public init() {}

  public func validate() throws {
    guard maxConnections > 0 else { throw ValidationError("--max-connections must be positive") }
    guard timeout > 0 else { throw ValidationError("--timeout must be positive") }
  }
}
