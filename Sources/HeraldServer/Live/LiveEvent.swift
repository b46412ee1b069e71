import NIOCore

/// An event of a query, made once for all its readers.
struct LiveEvent: Sendable {
  let version: Int
  /// As a server-sent event: `id: 42\ndata: {...}\n\n`.
  let stream: ByteBuffer
  /// The JSON within it.
  let json: ByteBuffer

  init(_ version: Int, _ json: String) {
    self.version = version
    var stream = ByteBuffer()
    stream.reserveCapacity(json.utf8.count + 40)
    stream.writeString("id: \(version)\ndata: ")
    let start = stream.writerIndex
    stream.writeString(json)
    self.json = stream.getSlice(at: start, length: stream.writerIndex - start) ?? ByteBuffer()
    stream.writeString("\n\n")
    self.stream = stream
  }
}
