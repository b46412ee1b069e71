internal import CZlib

/// The content of gzip data (RFC 1952), of one or several members.
final class GzipSource: ByteSource {
  private static let chunkSize = 1 << 16

  private let base: any ByteSource
  /// Does not move, as zlib keeps its address.
  private let stream: UnsafeMutablePointer<z_stream>
  private let chunk: UnsafeMutableRawBufferPointer
  /// Whether a member has begun that has not ended.
  private var isInMember = false

  init(_ base: any ByteSource) throws(File.Failure) {
    self.base = base
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    chunk = .allocate(byteCount: Self.chunkSize, alignment: 1)
    guard herald_inflate_init(stream) == Z_OK else { throw File.Failure(reason: "out of memory") }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
    chunk.deallocate()
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(File.Failure) -> Int {
    while true {
      if stream.pointee.avail_in == 0 {
        let count = try base.read(into: chunk)
        if count == 0 {
          guard !isInMember else {
            throw File.Failure(reason: "the compressed data ends too early")
          }
          return 0
        }
        stream.pointee.next_in = chunk.bindMemory(to: UInt8.self).baseAddress
        stream.pointee.avail_in = UInt32(count)
      }
      let count = try inflated(into: buffer)
      if count > 0 { return count }
    }
  }

  /// Decompresses what has been read; returns the number of bytes.
  private func inflated(into buffer: UnsafeMutableRawBufferPointer) throws(File.Failure) -> Int {
    let output = buffer.bindMemory(to: UInt8.self)
    stream.pointee.next_out = output.baseAddress
    stream.pointee.avail_out = UInt32(min(output.count, Int(UInt32.max)))
    let room = Int(stream.pointee.avail_out)
    isInMember = true
    let status = inflate(stream, Z_NO_FLUSH)
    let count = room - Int(stream.pointee.avail_out)
    switch status {
    case Z_OK, Z_BUF_ERROR: return count
    case Z_STREAM_END:
      isInMember = false
      inflateReset(stream)
      return count
    default: throw File.Failure(reason: "the compressed data is damaged")
    }
  }
}
