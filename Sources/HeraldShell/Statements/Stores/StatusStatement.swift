import Herald

/// `status`: where the store is, and how it follows a stream.
struct StatusStatement: StatementForm {
  static let command = Command(
    "status", ["status"], "print the store's path, its version, and how it follows a stream",
    [
      "Of a store that many machines share also whether the servers can be reached, how many commits "
        + "the stream has that the store lacks, for how long it has lacked some, the last error, how "
        + "many commits the store has that the stream has lost, and what its servers promise less than "
        + "they should.",
      "In JSON: {\"result\":{\"store\":\"nats://host/pets\",\"version\":42,\"replicated\":true,"
        + "\"lag\":0,\"connected\":true,\"role\":\"replica\",\"stream\":\"pets\",\"cache\":\"...\","
        + "\"lagSeconds\":0,\"lastError\":null,\"ahead\":0,\"warnings\":[...]}}; of another store \"replicated\" and \"connected\" are "
        + "false, \"lag\" is 0, and the keys after them are missing.",
    ], examples: ["status"], parse: { _ in Self() })

  func run(in context: Context) throws {
    let store = try context.store
    let version = store.version
    let replica = store.replicaStatus
    var fields = [
      OutputValue.Field("store", context.shell.storePath.map { .string($0) } ?? .null),
      OutputValue.Field("version", .int(version)),
      OutputValue.Field("replicated", .bool(replica != nil)),
      OutputValue.Field("lag", .int(replica?.lag ?? 0)),
      OutputValue.Field("connected", .bool(replica?.isConnected ?? false)),
    ]
    var lines = ["\(context.shell.storePath ?? "a store in memory"): version \(version)"]
    if let replica {
      let seconds = (replica.lagSeconds * 10).rounded() / 10
      fields += [
        OutputValue.Field("role", .string("replica")),
        OutputValue.Field("stream", .string(replica.stream)),
        OutputValue.Field("cache", store.path.map { .string($0) } ?? .null),
        OutputValue.Field("lagSeconds", .double(seconds)),
        OutputValue.Field("lastError", replica.lastError.map { .string($0) } ?? .null),
        OutputValue.Field("ahead", .int(replica.ahead)),
        OutputValue.Field(
          name: "warnings", value: .list(replica.warnings.map { .plain(.string($0)) })),
      ]
      lines.append(
        "a replica of stream '\(replica.stream)', "
          + (replica.isConnected ? "connected" : "not connected")
          + (replica.lag == 0
            ? "" : ", \(replica.lag) commit\(replica.lag == 1 ? "" : "s") behind")
          + (replica.ahead == 0
            ? "" : ", \(replica.ahead) commit\(replica.ahead == 1 ? "" : "s") in this file alone")
          + (seconds == 0 ? "" : ", for \(seconds) s"))
      if let error = replica.lastError { lines.append("last error: \(error)") }
      lines += replica.warnings.map { "warning: \($0)" }
    }
    context.emit(.report(lines, .map(fields)))
  }
}
