import Glibc

/// Standard output and standard error.
enum StandardStreams {
  static func write(_ text: String) { write(text, to: STDOUT_FILENO) }

  static func writeError(_ text: String) { write(text, to: STDERR_FILENO) }

  /// One line of the program's own on standard error.
  static func complain(_ message: String) { writeError("herald: \(message)\n") }

  /// When nobody reads any more there is nothing left to do; when the disk is full, say so.
  private static func write(_ text: String, to descriptor: Int32) {
    do {
      try OutputBytes.write(Array(text.utf8), to: descriptor)
    } catch {
      guard error.code != EPIPE, descriptor == STDOUT_FILENO else {
        exit(ExitStatus.statementFailed.rawValue)
      }
      complain("cannot write the output: \(error.reason)")
      exit(ExitStatus.statementFailed.rawValue)
    }
  }
}

/// Bytes that leave through a descriptor.
enum OutputBytes {
  static func write(_ bytes: [UInt8], to descriptor: Int32) throws(SystemFailure) {
    var start = 0
    while start < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        Glibc.write(descriptor, buffer.baseAddress?.advanced(by: start), bytes.count - start)
      }
      if count >= 0 {
        start += count
      } else if errno == EAGAIN {
        var output = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&output, 1, -1)
      } else if errno != EINTR {
        throw SystemFailure(code: errno)
      }
    }
  }
}

/// A failed system call.
struct SystemFailure: Error {
  let code: Int32

  var reason: String { String(cString: strerror(code)) }
}
