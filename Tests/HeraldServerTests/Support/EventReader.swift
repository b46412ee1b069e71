import Foundation

/// A reader of a stream of events.
final class EventReader {
  /// An event: the version, and the JSON, which is empty where an event only says the version.
  struct Received: Equatable {
    let version: Int
    let json: String
  }

  private let client: Client
  private var body = ""
  private(set) var version: Int?
  let status: Int
  let head: String

  init(
    _ port: Int, _ target: String, after version: Int? = nil, receiveBuffer: Int32? = nil
  ) throws {
    client = try Client(port, receiveBuffer: receiveBuffer)
    self.version = version
    client.request("GET", target, version.map { ["Last-Event-ID": String($0)] } ?? [:])
    head = try client.receive(until: "\r\n\r\n")
    status = Int(head.split(separator: " ")[1]) ?? 0
  }

  /// The next event that has data.
  func next() throws -> Received {
    while true {
      let event = try any()
      if !event.json.isEmpty { return event }
    }
  }

  /// The next event, also one that only says the version.
  func any() throws -> Received {
    while true {
      if let end = body.range(of: "\n\n") {
        let lines = body[..<end.lowerBound].split(separator: "\n")
        body = String(body[end.upperBound...])
        let received = Received(
          version: Self.field("id: ", lines).flatMap { Int($0) } ?? -1,
          json: Self.field("data: ", lines) ?? "")
        version = received.version
        return received
      }
      let size = Int(try client.receive(until: "\r\n"), radix: 16) ?? 0
      guard size > 0 else { throw Client.Failure(reason: "the stream has ended") }
      body += String(decoding: try client.receive(count: size), as: UTF8.self)
      _ = try client.receive(until: "\r\n")
    }
  }

  private static func field(_ name: String, _ lines: [Substring]) -> String? {
    lines.first { $0.hasPrefix(name) }.map { String($0.dropFirst(name.count)) }
  }
}
