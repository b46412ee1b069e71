import Herald

extension Context {
  /// `status`: where the store is, and how it follows a stream.
  func showStatus() throws {
    let store = try self.store
    let version = store.version
    let replica = store.replicaStatus
    var fields = [
      OutputValue.Field(name: "store", value: .plain(shell.storePath.map { .string($0) } ?? .null)),
      OutputValue.Field(name: "version", value: .plain(.int(version))),
      OutputValue.Field(name: "replicated", value: .plain(.bool(replica != nil))),
      OutputValue.Field(name: "lag", value: .plain(.int(replica?.lag ?? 0))),
      OutputValue.Field(name: "connected", value: .plain(.bool(replica?.isConnected ?? false))),
    ]
    var lines = ["\(shell.storePath ?? "a store in memory"): version \(version)"]
    if let replica {
      let seconds = (replica.lagSeconds * 10).rounded() / 10
      fields += [
        OutputValue.Field(name: "role", value: .plain(.string("replica"))),
        OutputValue.Field(name: "stream", value: .plain(.string(replica.stream))),
        OutputValue.Field(name: "cache", value: .plain(store.path.map { .string($0) } ?? .null)),
        OutputValue.Field(name: "lagSeconds", value: .plain(.double(seconds))),
        OutputValue.Field(
          name: "lastError", value: .plain(replica.lastError.map { .string($0) } ?? .null)),
        OutputValue.Field(name: "ahead", value: .plain(.int(replica.ahead))),
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
    emit(.report(lines, .map(fields)))
  }
}

extension Name {
  /// Whether it is the address of a stream, rather than a path.
  var isAddress: Bool { text.hasPrefix("nats://") || text.hasPrefix("tls://") }
}

extension Interpreter {
  /// Puts the commits of a file back into a stream that has lost them: `herald replicate FILE to ADDRESS`.
  package func replicate(file path: String, to address: String) {
    let source = Source(name: "herald", text: "")
    let noSpan = SourceSpan(start: 0, end: 0)
    do {
      guard let refillStream = options.refillStream else {
        throw HeraldError.cannotOpen(path: address, reason: "this program opens no streams")
      }
      let (versions, newest) = try refillStream(path, address)
      let fields = [
        OutputValue.Field(name: "stream", value: .plain(.string(address))),
        OutputValue.Field(name: "version", value: .plain(.int(newest))),
        OutputValue.Field(name: "putBack", value: .plain(.int(versions.count))),
      ]
      let line =
        switch versions.count {
        case 0: "nothing to put back: the stream has every commit of '\(path)', version \(newest)"
        case 1: "put back version \(versions.lowerBound)"
        case _: "put back \(versions.count) commits, versions \(versions.lowerBound) to \(newest)"
        }
      emit(.report([line], .map(fields)))
    } catch {
      report(located(Self.replicating(error), source, noSpan))
    }
    output.flush()
  }

  /// Distinguishes errors of reading the file from those of writing to the stream.
  private static func replicating(_ error: any Error) -> any Error {
    switch error as? HeraldError {
    case .cannotOpen?, .notAStore?, .newerFormat?, .olderFormat?, .locked?, .damaged?:
      (error as? HeraldError).map { Diagnostic.opening($0, path: nil) } ?? error
    case _: error
    }
  }
}
