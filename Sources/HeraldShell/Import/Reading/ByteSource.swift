/// A sequence of bytes that is read once.
protocol ByteSource: AnyObject {
  /// Fills the buffer from its start; returns the number of bytes, 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(File.Failure) -> Int
}

/// Bytes that can be read again from their start.
protocol RewindableSource: ByteSource {
  func rewind() throws(File.Failure)
  /// How many of its bytes have been read.
  var position: Int { get }
  var size: Int { get }
}

/// Bytes in memory.
final class ArraySource: RewindableSource {
  private let bytes: [UInt8]
  private(set) var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var size: Int { bytes.count }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(buffer.count, bytes.count - position)
    buffer.copyBytes(from: bytes[position..<position + count])
    position += count
    return count
  }

  func rewind() { position = 0 }
}
