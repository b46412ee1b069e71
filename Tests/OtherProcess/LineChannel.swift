import FoundationEssentials
import Glibc

/// Two descriptors over which two processes exchange messages, one line of JSON each.
package final class LineChannel {
  /// The error when the other process has ended, or sends nothing in time.
  package struct Silence: Error {}

  private let reading: Int32
  private let writing: Int32
  /// How long to wait for a line, in milliseconds; -1 for no limit.
  private let patience: Int32
  private var received: [UInt8] = []

  package init(reading: Int32, writing: Int32, patience: Int32 = -1) {
    (self.reading, self.writing, self.patience) = (reading, writing, patience)
  }

  package func send(_ message: some Encodable) throws {
    var line = Array(try JSONEncoder().encode(message))
    line.append(UInt8(ascii: "\n"))
    var rest = line[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { write(writing, $0.baseAddress, $0.count) }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { throw Silence() }
      rest.removeFirst(written)
    }
  }

  package func receive<Message: Decodable>(_ type: Message.Type) throws -> Message {
    while true {
      if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
        let line = Data(received[..<end])
        received.removeSubrange(...end)
        return try JSONDecoder().decode(Message.self, from: line)
      }
      try read()
    }
  }

  private func read() throws {
    var source = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
    let ready = poll(&source, 1, patience)
    if ready < 0, errno == EINTR { return }
    guard ready > 0 else { throw Silence() }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = Glibc.read(reading, &bytes, bytes.count)
    if count < 0, errno == EINTR { return }
    guard count > 0 else { throw Silence() }
    received += bytes[..<count]
  }
}
