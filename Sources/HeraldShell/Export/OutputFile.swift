import Glibc

/// A file that is written beside the one that it is to replace.
///
/// Until `finish` nothing at the path changes; a file that is dropped before leaves nothing. What is
/// no plain file (a link, a pipe, a terminal) is written to as it stands, and never replaced.
final class OutputFile {
  private static let bufferSize = 1 << 16

  private let path: String
  /// nil where the path is written to as it stands.
  private let temporaryPath: String?
  private var descriptor: Int32
  private var buffer: [UInt8] = []

  init(_ path: String) throws(File.Failure) {
    self.path = path
    var status = stat()
    if lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      temporaryPath = nil
      descriptor = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC)
    } else {
      let temporaryPath = "\(path).\(getpid()).new"
      self.temporaryPath = temporaryPath
      descriptor = open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    }
    if descriptor < 0 { throw OutputFile.failure }
  }

  deinit {
    if descriptor >= 0 {
      close(descriptor)
      if let temporaryPath { unlink(temporaryPath) }
    }
  }

  func write(_ text: String) throws(File.Failure) {
    buffer += Array(text.utf8)
    if buffer.count >= OutputFile.bufferSize { try flush() }
  }

  /// Puts the file in its place.
  func finish() throws(File.Failure) {
    try flush()
    if let temporaryPath {
      guard fsync(descriptor) == 0, rename(temporaryPath, path) == 0 else {
        throw OutputFile.failure
      }
    }
    close(descriptor)
    descriptor = -1
  }

  private func flush() throws(File.Failure) {
    var place = 0
    while place < buffer.count {
      let written = buffer.withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress?.advanced(by: place), $0.count - place)
      }
      if written < 0, errno != EINTR { throw OutputFile.failure }
      place += max(0, written)
    }
    buffer.removeAll(keepingCapacity: true)
  }

  private static var failure: File.Failure {
    File.Failure(reason: String(cString: strerror(errno)))
  }
}
