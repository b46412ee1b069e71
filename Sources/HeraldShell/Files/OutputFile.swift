import Glibc
import Herald

/// A temporary file that replaces the file at its path when it is finished.
///
/// Until `finish` nothing at the path changes; a file that is released before leaves nothing. A new file
/// has the permissions that the umask leaves; one that replaces another has the owner and the permissions of that one. A path
/// that is not a regular file (a link, a pipe, a device) is refused: somebody else may have put it there.
final class OutputFile {
  private static let bufferSize = 1 << 16

  private let path: String
  /// nil for a device, which is written directly.
  private let temporaryPath: String?
  private var descriptor: Int32
  private var buffer: [UInt8] = []

  /// - Parameters:
  ///   - allowsDevices: whether the path may be that of a device: `/dev/null`.
  ///   - permissions: those of a new file; nil for what the umask leaves of all.
  init(
    _ path: String, allowsDevices: Bool = false, permissions: UInt32? = nil
  ) throws(File.Failure) {
    try File.refuse(storeAt: path)
    if RealmSource.isPresent(at: path) {
      throw File.Failure(reason: "it is a Realm file, which is never written")
    }
    self.path = path
    var status = stat()
    let isThere = lstat(path, &status) == 0
    let kind = isThere ? status.st_mode & S_IFMT : S_IFREG
    if kind == S_IFCHR, allowsDevices {
      temporaryPath = nil
      descriptor = open(path, O_WRONLY | O_CLOEXEC)
      if descriptor < 0 { throw OutputFile.failure }
      return
    }
    switch kind {
    case S_IFREG: break
    case S_IFDIR: throw File.Failure(reason: "it is a directory")
    case S_IFLNK: throw File.Failure(reason: "it is a symbolic link")
    default: throw File.Failure(reason: "it is not a regular file")
    }
    let temporaryPath = "\(path).\(getpid()).new"
    self.temporaryPath = temporaryPath
    descriptor = try File.make(temporaryPath, permissions: permissions)
    if isThere { OutputFile.copyAttributes(status, to: descriptor) }
  }

  /// Copies the owner and the permissions of another file; those of the group and of others only if the
  /// owner and the group could be set.
  private static func copyAttributes(_ status: stat, to descriptor: Int32) {
    let isSame = fchown(descriptor, status.st_uid, status.st_gid) == 0
    fchmod(descriptor, status.st_mode & (isSame ? 0o777 : 0o700))
  }

  deinit {
    if descriptor >= 0 {
      close(descriptor)
      if let temporaryPath { unlink(temporaryPath) }
    }
  }

  func write(_ text: String) throws(File.Failure) { try write(Array(text.utf8)) }

  func write(_ bytes: [UInt8]) throws(File.Failure) {
    buffer += bytes
    if buffer.count >= OutputFile.bufferSize { try flush() }
  }

  /// Replaces the file at the path. `syncs`: whether it is there after a power cut, too.
  func finish(syncs: Bool = true) throws(File.Failure) {
    try flush()
    guard let temporaryPath else { return }
    guard !syncs || fsync(descriptor) == 0, rename(temporaryPath, path) == 0 else {
      throw OutputFile.failure
    }
    close(descriptor)
    descriptor = -1
    if syncs { OutputFile.syncFolder(of: path) }
  }

  private func flush() throws(File.Failure) {
    var offset = 0
    while offset < buffer.count {
      let written = buffer.withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress?.advanced(by: offset), $0.count - offset)
      }
      if written < 0, errno != EINTR { throw OutputFile.failure }
      offset += max(0, written)
    }
    buffer.removeAll(keepingCapacity: true)
  }

  /// Syncs the folder, which makes the new name durable.
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
