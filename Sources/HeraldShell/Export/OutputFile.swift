import Glibc

/// A file that is written beside the one that it is to replace.
///
/// Until `finish` nothing at the path changes; a file that is dropped before leaves nothing. A new
/// file is the user's alone; one that takes another's place has the owner and the permissions of that
/// one. What is no regular file (a link, a pipe, a device) is never written to: somebody else may have
/// put it there.
final class OutputFile {
  private static let bufferSize = 1 << 16

  private let path: String
  private let temporaryPath: String
  private var descriptor: Int32
  private var buffer: [UInt8] = []

  init(_ path: String) throws(File.Failure) {
    try File.refuse(storeAt: path)
    self.path = path
    temporaryPath = "\(path).\(getpid()).new"
    var status = stat()
    guard lstat(path, &status) == 0 else {
      descriptor = try File.make(temporaryPath)
      return
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw File.Failure(reason: "it is a directory")
    case S_IFLNK: throw File.Failure(reason: "it is a symbolic link")
    default: throw File.Failure(reason: "it is not a regular file")
    }
    descriptor = try File.make(temporaryPath)
    OutputFile.give(descriptor, the: status)
  }

  /// Gives a new file the owner and the permissions of another; those of a group or of everybody only
  /// where they mean the same people.
  private static func give(_ descriptor: Int32, the status: stat) {
    let isSame = fchown(descriptor, status.st_uid, status.st_gid) == 0
    fchmod(descriptor, status.st_mode & (isSame ? 0o777 : 0o700))
  }

  deinit {
    if descriptor >= 0 {
      close(descriptor)
      unlink(temporaryPath)
    }
  }

  func write(_ text: String) throws(File.Failure) {
    buffer += Array(text.utf8)
    if buffer.count >= OutputFile.bufferSize { try flush() }
  }

  /// Puts the file in its place.
  func finish() throws(File.Failure) {
    try flush()
    guard fsync(descriptor) == 0, rename(temporaryPath, path) == 0 else {
      throw OutputFile.failure
    }
    close(descriptor)
    descriptor = -1
    OutputFile.syncFolder(of: path)
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

  /// A name is on disk when its folder is.
  private static func syncFolder(of path: String) {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  private static var failure: File.Failure {
    File.Failure(reason: String(cString: strerror(errno)))
  }
}
