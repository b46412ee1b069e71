import Glibc
import Herald

/// Bytes that come while a program waits for them.
protocol LiveInput: AnyObject {
  /// Becomes readable when more has come.
  var descriptor: Int32 { get }
  /// How long to wait at most before `read` is called; nil for no limit.
  var patience: Duration? { get }
  /// Reads what has come into a buffer, without waiting for more.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(File.Failure) -> LiveInputRead
}

/// What a reading found.
enum LiveInputRead {
  case bytes(Int)
  /// Nothing has come.
  case nothing
  /// What follows belongs to no line before it: another file has taken the place of the one that was read.
  case restart
  case end
}

/// A pipe, a socket or a terminal.
final class PipeInput: LiveInput {
  let descriptor: Int32
  var patience: Duration? { nil }

  /// Takes over a descriptor, and closes it in the end.
  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    // A program that writes need not wait while what it wrote is committed. What is no pipe, or may have no larger one,
    // stays as it is.
    _ = fcntl(descriptor, Self.setPipeSize, Int32(1 << 20))
  }

  deinit { close(descriptor) }

  /// `F_SETPIPE_SZ`, which Glibc's module leaves out.
  private static let setPipeSize: Int32 = 1031

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(File.Failure) -> LiveInputRead {
    var source = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&source, 1, 0) > 0 else { return .nothing }
    let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
    if count > 0 { return .bytes(count) }
    if count == 0 { return .end }
    guard errno == EINTR || errno == EAGAIN else {
      throw File.Failure(reason: String(cString: strerror(errno)))
    }
    return .nothing
  }
}
