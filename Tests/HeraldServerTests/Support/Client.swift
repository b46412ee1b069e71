import Glibc
import TestSupport

/// A connection to a server, which sends and receives bytes.
final class Client {
  struct Failure: Error {
    let reason: String
  }

  /// An answer with its body.
  struct Answer {
    let status: Int
    let head: String
    let body: String

    func header(_ name: String) -> String? {
      let start = name.lowercased() + ": "
      return head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(start) }
        .map { String($0.dropFirst(start.count)) }
    }
  }

  private let descriptor: Int32
  private var received: [UInt8] = []
  let port: Int

  init(_ port: Int, receiveBuffer: Int32? = nil) throws {
    self.port = port
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    if var size = receiveBuffer {
      setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let connected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard connected == 0 else {
      close(descriptor)
      throw Failure(reason: String(cString: strerror(errno)))
    }
  }

  deinit { close(descriptor) }

  /// Sends a text; stops where the server has closed the connection.
  func send(_ text: String) { send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Sends a request, with the headers that every request has.
  func request(
    _ method: String, _ target: String, _ headers: [String: String] = [:], body: String = ""
  ) {
    var all = ["Host": "127.0.0.1:\(port)"].merging(headers) { $1 }
    if !body.isEmpty { all["Content-Length"] = String(body.utf8.count) }
    let lines = all.filter { $0.value != "-" }.map { "\($0.key): \($0.value)\r\n" }.sorted()
    send("\(method) \(target) HTTP/1.1\r\n\(lines.joined())\r\n\(body)")
  }

  /// Receives more bytes; returns false at the end.
  private func receive() throws -> Bool {
    guard isReadable(descriptor, within: 10_000) else { throw Failure(reason: "nothing comes") }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    guard count > 0 else { return false }
    received += bytes[..<count]
    return true
  }

  /// Receives up to an end, which is not returned.
  func receive(until end: String) throws -> String {
    let end = Array(end.utf8)
    var searched = 0
    while true {
      if let found = received[searched...].firstRange(of: end) {
        let text = String(decoding: received[..<found.lowerBound], as: UTF8.self)
        received.removeSubrange(..<found.upperBound)
        return text
      }
      searched = max(0, received.count - end.count)
      guard try receive() else { throw Failure(reason: "the connection has ended") }
    }
  }

  func receive(count: Int) throws -> [UInt8] {
    while received.count < count {
      guard try receive() else { throw Failure(reason: "the connection has ended") }
    }
    defer { received.removeFirst(count) }
    return Array(received[..<count])
  }

  /// Whether the server closes the connection; what it sends before is dropped.
  func isClosed() throws -> Bool {
    while try receive() { received = [] }
    return true
  }

  func answer() throws -> Answer {
    let head = try receive(until: "\r\n\r\n")
    let status = Int(head.split(separator: " ")[1]) ?? 0
    let answer = Answer(status: status, head: head, body: "")
    let length = answer.header("content-length").flatMap { Int($0) } ?? 0
    return Answer(
      status: status, head: head, body: String(decoding: try receive(count: length), as: UTF8.self))
  }
}
