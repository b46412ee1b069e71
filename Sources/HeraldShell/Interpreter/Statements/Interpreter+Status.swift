import Herald

extension Interpreter {
  /// `status`: where the store is, and how it follows a stream.
  func showStatus(_ context: Context) throws {
    let store = try store(context)
    let version = store.version
    let replica = store.replicaStatus
    var fields = [
      OutputValue.Field(name: "store", value: .plain(storePath.map { .string($0) } ?? .null)),
      OutputValue.Field(name: "version", value: .plain(.int(version))),
      OutputValue.Field(name: "replicated", value: .plain(.bool(replica != nil))),
      OutputValue.Field(name: "lag", value: .plain(.int(replica?.lag ?? 0))),
      OutputValue.Field(
        name: "connected", value: .plain(.bool(replica?.isConnected ?? false))),
    ]
    var lines = ["\(storePath ?? "a store in memory"): version \(version)"]
    if let replica {
      let seconds = (replica.lagSeconds * 10).rounded() / 10
      fields += [
        OutputValue.Field(name: "role", value: .plain(.string("replica"))),
        OutputValue.Field(name: "stream", value: .plain(.string(replica.stream))),
        OutputValue.Field(
          name: "cache", value: .plain(store.path.map { .string($0) } ?? .null)),
        OutputValue.Field(name: "lagSeconds", value: .plain(.double(seconds))),
        OutputValue.Field(
          name: "lastError", value: .plain(replica.lastError.map { .string($0) } ?? .null)),
      ]
      lines.append(
        "a replica of stream '\(replica.stream)', "
          + (replica.isConnected ? "connected" : "not connected")
          + (replica.lag == 0
            ? "" : ", \(replica.lag) commit\(replica.lag == 1 ? "" : "s") behind")
          + (seconds == 0 ? "" : ", for \(seconds) s"))
      if let error = replica.lastError { lines.append("last error: \(error)") }
    }
    emit(.report(lines, .map(fields)))
  }
}

extension Name {
  /// Whether it is the address of a stream, rather than a path.
  var isAddress: Bool { text.hasPrefix("nats://") || text.hasPrefix("tls://") }
}
