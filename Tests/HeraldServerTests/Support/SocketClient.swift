/// A WebSocket to a server.
final class SocketClient {
  private let client: Client
  /// The answer to the request for it.
  let head: String

  init(_ port: Int, _ headers: [String: String] = [:]) throws {
    client = try Client(port)
    let own = [
      "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
      "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    ]
    client.request("GET", "/socket", own.merging(headers) { $1 })
    head = try client.receive(until: "\r\n\r\n")
  }

  func send(_ text: String) {
    let bytes = Array(text.utf8)
    let length: [UInt8] =
      bytes.count < 126
      ? [0x80 | UInt8(bytes.count)]
      : [0x80 | 126, UInt8(bytes.count >> 8 & 0xFF), UInt8(bytes.count & 0xFF)]
    let mask: [UInt8] = [1, 2, 3, 4]
    client.send([0x81] + length + mask + bytes.enumerated().map { $1 ^ mask[$0 % 4] })
  }

  /// The next message; of a closed connection the reason, after its code.
  func next() throws -> String {
    let start = try client.receive(count: 2)
    var length = Int(start[1])
    if length == 126 {
      length = try client.receive(count: 2).reduce(0) { $0 << 8 | Int($1) }
    } else if length == 127 {
      length = try client.receive(count: 8).reduce(0) { $0 << 8 | Int($1) }
    }
    let bytes = try client.receive(count: length)
    guard start[0] == 0x88 else { return String(decoding: bytes, as: UTF8.self) }
    let code = Int(bytes[0]) << 8 | Int(bytes[1])
    return "\(code) \(String(decoding: bytes.dropFirst(2), as: UTF8.self))"
  }

  func isClosed() throws -> Bool { try client.isClosed() }
}
