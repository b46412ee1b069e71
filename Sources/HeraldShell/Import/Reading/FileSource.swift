import Glibc

/// The bytes of an open file.
final class FileSource: RewindableSource {
  private let descriptor: Int32
  private(set) var position = 0
  let size: Int

  private init(_ descriptor: Int32) {
    self.descriptor = descriptor
    var status = stat()
    size = fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  }

  deinit { close(descriptor) }

  /// Opens the file at `path`; `-` is standard input. What cannot be read twice, such as a pipe, is first
  /// copied to a temporary file without a name. Throws once `isWanted` returns false.
  static func open(
    _ path: String, isWanted: () -> Bool = { true }
  ) throws(File.Failure) -> FileSource {
    let path = File.expanded(path)
    try File.refuse(storeAt: path)
    let descriptor = path == "-" ? dup(STDIN_FILENO) : Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure }
    var status = stat()
    let isRegular = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    // Standard input may be a file that was read in part.
    if isRegular, path != "-" { return FileSource(descriptor) }
    defer { close(descriptor) }
    return FileSource(try copy(of: descriptor, isWanted: isWanted))
  }

  /// Copies the rest of a stream to a temporary file, and returns the descriptor of that.
  private static func copy(
    of stream: Int32, isWanted: () -> Bool
  ) throws(File.Failure) -> Int32 {
    let copy = try temporaryFile()
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      guard isWanted() else {
        close(copy)
        throw File.Failure(reason: "interrupted")
      }
      let count = Glibc.read(stream, &buffer, buffer.count)
      if count == 0 { break }
      if count < 0, errno == EINTR { continue }
      guard count > 0, write(copy, buffer, count) == count else {
        let failure = failure
        close(copy)
        throw failure
      }
    }
    lseek(copy, 0, SEEK_SET)
    return copy
  }

  /// Returns the descriptor of a new file without a name.
  static func temporaryFile() throws(File.Failure) -> Int32 {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var name = Array("\(folder)/herald-XXXXXX".utf8CString)
    let descriptor = mkstemp(&name)
    guard descriptor >= 0 else { throw failure }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unlink(name)
    return descriptor
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(File.Failure) -> Int {
    while true {
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Self.failure }
      position += count
      return count
    }
  }

  func rewind() throws(File.Failure) {
    guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw Self.failure }
    position = 0
  }

  private static var failure: File.Failure {
    File.Failure(reason: String(cString: strerror(errno)))
  }
}
