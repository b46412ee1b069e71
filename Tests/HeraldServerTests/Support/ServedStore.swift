import HeraldServer
import TestSupport

/// A server of a store in a folder of its own.
final class ServedStore {
  static let dogs = "class Dog { id: int primary; name: string; age: int }"

  private let folder: TemporaryFolder
  private(set) var server: Server
  private let settings: ServerSettings

  init(
    _ statements: String = ServedStore.dogs, _ change: (inout ServerSettings) -> Void = { _ in }
  ) throws {
    folder = try TemporaryFolder()
    var settings = ServerSettings(store: folder.path + "/pets.hdb")
    settings.port = 0
    change(&settings)
    self.settings = settings
    server = try Server(settings)
    if !statements.isEmpty, !settings.isReadOnly, settings.token == nil {
      _ = try write(statements)
    }
  }

  deinit { server.stop() }

  var port: Int { server.port }
  var path: String { settings.store }

  /// Ends the server, and starts another of the same store.
  func restart() throws {
    server.stop()
    server = try Server(settings)
  }

  func get(_ target: String, _ headers: [String: String] = [:]) throws -> Client.Answer {
    let client = try Client(port)
    client.request("GET", target, headers)
    return try client.answer()
  }

  func write(_ statements: String, _ headers: [String: String] = [:]) throws -> Client.Answer {
    let client = try Client(port)
    client.request(
      "POST", "/write", ["Content-Type": "application/x-herald"].merging(headers) { $1 },
      body: statements)
    return try client.answer()
  }

  /// The value of a metric.
  func metric(_ name: String) throws -> Int? {
    try get("/metrics").body.split(separator: "\n").first { $0.hasPrefix(name + " ") }
      .flatMap { Int($0.dropFirst(name.count + 1)) }
  }
}
