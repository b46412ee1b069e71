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
