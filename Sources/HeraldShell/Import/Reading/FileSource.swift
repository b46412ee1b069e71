import Glibc
import Herald

/// The bytes of an open file.
final class FileSource: RewindableSource {
  private let descriptor: Int32
  private(set) var position: Int
  let size: Int
  /// The position at which reading ends, although the file may have more.
  private var end = Int.max

  private init(_ descriptor: Int32, from position: Int = 0) {
    self.descriptor = descriptor
    self.position = position
    var status = stat()
    size = fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  }

  deinit { close(descriptor) }

  /// Opens the file at `path`; `-` is standard input. What cannot be read twice, such as a pipe, is first
  /// copied to a temporary file without a name. Throws once `isWanted` returns false.
  static func open(
    _ path: String, isWanted: () -> Bool = { true }
  ) throws(File.Failure) -> FileSource {
    try File.refuse(storeAt: path)
    let descriptor = path == "-" ? dup(STDIN_FILENO) : Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure }
    var status = stat()
    let isRegular = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    // Standard input may be a file that was read in part.
    if isRegular, path != "-" { return try unpacked(descriptor, isWanted) }
    defer { close(descriptor) }
    return try unpacked(try copy(of: descriptor, isWanted: isWanted), isWanted)
  }

  /// The file, or its content if another program has to unpack it and is installed.
  private static func unpacked(
    _ descriptor: Int32, _ isWanted: () -> Bool
  ) throws(File.Failure) -> FileSource {
    guard let unpacker = Unpacker.of(descriptor) else { return FileSource(descriptor) }
    do throws(File.Failure) {
      guard let content = try unpacker.unpacked(descriptor, isWanted: isWanted) else {
        return FileSource(descriptor)
      }
      close(descriptor)
      return FileSource(content)
    } catch {
      close(descriptor)
      throw error
    }
  }

  /// Copies the rest of a stream to a temporary file, and returns the descriptor of that.
  private static func copy(of stream: Int32, isWanted: () -> Bool) throws(File.Failure) -> Int32 {
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
      let count = pread(descriptor, buffer.baseAddress, min(buffer.count, end - position), position)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Self.failure }
      position += count
      return count
    }
  }

  func rewind() { (position, end) = (0, .max) }

  /// Returns a source of the second half of what is left, from the start of a line on; until it is rewound, this one ends
  /// there. Returns nil, and changes nothing, if little is left, or a line is very long.
  func secondHalf() -> FileSource? {
    guard end == .max, size - position >= Self.leastToSplit else { return nil }
    let middle = position + (size - position) / 2
    let line = [UInt8](unsafeUninitializedCapacity: Self.longestLine) { buffer, count in
      count = max(0, pread(descriptor, buffer.baseAddress, buffer.count, middle))
    }
    guard let newline = line.firstIndex(of: Byte.newline) else { return nil }
    let other = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard other >= 0 else { return nil }
    end = middle + newline + 1
    return FileSource(other, from: end)
  }

  /// The bytes from which on reading two halves at once is worth a thread.
  private static let leastToSplit = 1 << 20
  private static let longestLine = 1 << 16

  private static var failure: File.Failure {
    File.Failure(reason: String(cString: strerror(errno)))
  }
}
