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
    let (count, code) = withUnsafeTemporaryAllocation(byteCount: Self.step, alignment: 1) {
      buffer in
      var count: Int
      repeat {
        count = Glibc.read(descriptor, buffer.baseAddress, Self.step)
      } while count < 0 && errno == EINTR
      let code = errno
      if count > 0 {
        bytes.append(contentsOf: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
      }
      return (count, code)
    }
    guard count >= 0 else { throw SystemFailure(code: code) }
    return count > 0
  }

  /// Calls `body`, which may change the bytes.
  mutating func withBytes<Result>(_ body: (inout [UInt8]) -> Result) -> Result { body(&bytes) }

  /// Removes and returns the first bytes, without a copy if these are all.
  mutating func take(_ count: Int) -> [UInt8] {
    if count == bytes.count {
      defer { bytes = [] }
      return bytes
    }
    let taken = Array(bytes[..<count])
    bytes.removeFirst(count)
    return taken
  }

  /// The number of newlines, counted in a loop that vectorises.
  static func newlines(in bytes: [UInt8]) -> Int {
    bytes.withUnsafeBufferPointer { bytes in
      var count = 0
      for byte in bytes { count &+= byte == UInt8(ascii: "\n") ? 1 : 0 }
      return count
    }
  }

  /// The offset of the first newline from an offset on; nil if there is none.
  func newline(from start: Int) -> Int? {
    bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress,
        let found = memchr(base + start, Int32(UInt8(ascii: "\n")), bytes.count - start)
      else { return nil }
      return UnsafeRawPointer(found) - base
    }
  }
}
