import Glibc

/// Bytes as they come from a descriptor.
struct InputBytes {
  let descriptor: Int32
  private(set) var bytes: [UInt8] = []

  private static let step = 1 << 16

  init(descriptor: Int32) { self.descriptor = descriptor }

  /// Waits for more bytes; false at the end of the input.
  mutating func readMore() throws(SystemFailure) -> Bool {
    let old = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: Self.step))
    var count: Int
    repeat {
      count = bytes.withUnsafeMutableBytes { buffer in
        Glibc.read(descriptor, buffer.baseAddress?.advanced(by: old), Self.step)
      }
    } while count < 0 && errno == EINTR
    let code = errno
    bytes.removeLast(Self.step - max(0, count))
    guard count >= 0 else { throw SystemFailure(code: code) }
    return count > 0
  }

  mutating func removeFirst(_ count: Int) { bytes.removeFirst(count) }
}
