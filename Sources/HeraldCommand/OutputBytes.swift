import Glibc

/// Writes of bytes to a descriptor.
enum OutputBytes {
  /// Writes all bytes, and waits for the reader where necessary.
  static func write(_ bytes: [UInt8], to descriptor: Int32) throws(SystemFailure) {
    var start = 0
    while start < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        Glibc.write(descriptor, buffer.baseAddress?.advanced(by: start), bytes.count - start)
      }
      if count >= 0 {
        start += count
      } else if errno == EAGAIN {
        _ = waits(for: descriptor, milliseconds: -1)
      } else if errno != EINTR {
        throw SystemFailure(code: errno)
      }
    }
  }

  /// Writes from the start of a text what a pipe or a socket takes without blocking, and all of it
  /// elsewhere; returns where that ends.
  static func writeWithoutWaiting(
    _ text: Substring, to descriptor: Int32
  ) throws(SystemFailure) -> String.Index {
    guard hasReader(descriptor) else {
      try write(Array(text.utf8), to: descriptor)
      return text.endIndex
    }
    var start = text.startIndex
    while start < text.endIndex, waits(for: descriptor, milliseconds: 0) {
      let end = text.index(afterBytes: piece, from: start)
      try write(Array(text.utf8[start..<end]), to: descriptor)
      start = end
    }
    return start
  }

  /// The bytes that a writable pipe accepts without blocking (`PIPE_BUF`).
  private static let piece = 4096

  private static func hasReader(_ descriptor: Int32) -> Bool {
    var status = stat()
    fstat(descriptor, &status)
    return [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
  }

  /// Waits until a descriptor takes more, or its reader has left; returns false when the time is over.
  static func waits(for descriptor: Int32, milliseconds: Int32) -> Bool {
    var output = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&output, 1, milliseconds) > 0
  }
}

extension Substring {
  /// The last start of a character of Unicode at most `count` bytes after `start`; the end if that is nearer.
  fileprivate func index(afterBytes count: Int, from start: Index) -> Index {
    guard var end = utf8.index(start, offsetBy: count, limitedBy: endIndex) else { return endIndex }
    while end.samePosition(in: base.unicodeScalars) == nil { utf8.formIndex(before: &end) }
    return end
  }
}
