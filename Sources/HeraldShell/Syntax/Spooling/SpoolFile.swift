import Glibc

/// A temporary file without a name, for text that is read again later. It ends with its last reference.
final class SpoolFile: Sendable {
  private let descriptor: Int32

  init() throws(File.Failure) { descriptor = try FileSource.temporaryFile() }

  deinit { close(descriptor) }

  /// Writes bytes at an offset; returns false if the system refuses that, as on a full disk.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      let position = offset + bytes.count - rest.count
      let count = pwrite(descriptor, rest.baseAddress, rest.count, position)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
    return true
  }

  /// Returns the bytes of a range, which has been written.
  func read(_ range: Range<Int>) throws(File.Failure) -> [UInt8] {
    var code: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
      while count < range.count {
        let read = pread(
          descriptor, UnsafeMutableRawBufferPointer(buffer).baseAddress.map { $0 + count },
          range.count - count, off_t(range.lowerBound + count))
        if read < 0, errno == EINTR { continue }
        guard read > 0 else {
          code = read < 0 ? errno : EIO
          return
        }
        count += read
      }
    }
    guard code == 0 else { throw File.Failure(reason: String(cString: strerror(code))) }
    return bytes
  }
}
