import Herald

/// `readers`: the readers of the store, with the version that each holds, since when, and the bytes it keeps.
struct ReadersStatement: StatementForm {
  static let command = Command(
    "readers", ["readers"],
    "list the readers of the store and the versions that they hold",
    [
      "A session that holds a version keeps the pages of that version, and of all later ones, "
        + "from being reused: the file grows with every commit. Each line names the process, the "
        + "session, the version, the time since which it is held, and the bytes that it keeps.",
      "Sessions that wait for input, for commits or, between events, for a slow reader of their "
        + "output hold no version; a statement keeps one while it prints. A session with autorefresh off keeps its version until refresh, and a frozen "
        + "object or collection keeps its own for as long as a variable holds it.",
    ], examples: ["readers"], parse: { _ in Self() })

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
      OutputValue.Field("process", .int(process)),
      OutputValue.Field("session", session.map { .string($0) } ?? .null),
      OutputValue.Field("version", .int(version)),
      OutputValue.Field("since", since.map { .date($0) } ?? .null),
      OutputValue.Field("frozen", .bool(isFrozen)),
      OutputValue.Field("bytes", .int(bytes)),
    ])
  }
}
