import Herald

extension Command {
  static let readers = Command(
    "readers", ["readers"],
    "list the readers of the store and the versions that they hold",
    [
      "A session that holds a version keeps the pages of that version, and of all later ones, "
        + "from being reused: the file grows with every commit. Each line names the process, the "
        + "session, the version, the time since which it is held, and the bytes that it keeps.",
      "Sessions that wait for input, for commits or, between events, for a slow reader of their "
        + "output hold no version; a statement keeps one while it prints. A session with autorefresh off keeps its version until refresh, and a frozen "
        + "object or collection keeps its own for as long as a variable holds it.",
    ], examples: ["readers"],
    parse: { _ in ReadersStatement() })
}

/// `readers`: the readers of the store, with the version that each holds, since when, and the bytes it keeps.
struct ReadersStatement: StatementForm {
  func run(in context: Context) throws {
    let readers = try context.store.readers
    context.emit(
      .report(
        readers.isEmpty ? ["no reader holds a version"] : readers.map(\.line),
        .list(readers.map(\.output))))
  }
}

extension StoreReader {
  fileprivate var line: String {
    let name = session.map { isFrozen ? "frozen by \($0)" : $0 } ?? "an unnamed reader"
    let time = since.map { " since \($0.iso8601)" } ?? ""
    return "process \(process), \(name): version \(version)\(time), keeps \(ByteCount(bytes).text)"
  }

  fileprivate var output: OutputValue {
    .map([
      OutputValue.Field(name: "process", value: .plain(.int(process))),
      OutputValue.Field(name: "session", value: .plain(session.map { .string($0) } ?? .null)),
      OutputValue.Field(name: "version", value: .plain(.int(version))),
      OutputValue.Field(name: "since", value: .plain(since.map { .date($0) } ?? .null)),
      OutputValue.Field(name: "frozen", value: .plain(.bool(isFrozen))),
      OutputValue.Field(name: "bytes", value: .plain(.int(bytes))),
    ])
  }
}
