import Glibc

/// A buffer of bytes read from a descriptor.
struct InputBytes {
  let descriptor: Int32
  private(set) var bytes: [UInt8] = []

  private static let step = 1 << 16

  init(descriptor: Int32) { self.descriptor = descriptor }

  /// How long to wait for bytes before the reader counts as idle, in milliseconds.
  private static let idleDelay: Int32 = 20

  /// Waits for more bytes; returns false at the end of the input. Calls `whenIdle` if none arrive soon.
  mutating func readMore(whenIdle: () -> Void = {}) throws(SystemFailure) -> Bool {
    var source = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    if poll(&source, 1, Self.idleDelay) == 0 { whenIdle() }
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
