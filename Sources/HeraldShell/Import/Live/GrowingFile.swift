import Glibc
import Herald

/// A file to which others append: it has no end. One that is replaced, as logs are, is read to its end, and then the new one
/// of its name; one that was made shorter is read from its start.
final class GrowingFile: LiveInput {
  /// Of inotify: readable when the file has changed.
  let descriptor: Int32
  private let path: String
  private var file: Int32
  private var inode: ino_t = 0
  private var watch: Int32 = -1
  private var position = 0
  /// Whether all that is there was read.
  private var isRead = false
  /// Whether it was seen to change since its name and its size were looked at.
  private var hasChanged = false
  /// Whether the file has another name, or none, by now.
  private var isMoved = false

  /// How often a name is tried that has no file, and a file is that may have been replaced.
  private static let interval = Duration.milliseconds(250)

  /// Takes over the descriptor of a file.
  init(_ file: Int32, at path: String) throws(File.Failure) {
    self.path = path
    self.file = file
    descriptor = inotify_init1(Int32(O_CLOEXEC | O_NONBLOCK))
    guard descriptor >= 0 else {
      close(file)
      throw Self.failure
    }
    begin()
  }

  deinit {
    close(file)
    close(descriptor)
  }

  var patience: Duration? { isRead ? isMoved ? Self.interval : nil : .zero }

  private func begin() {
    var status = stat()
    inode = fstat(file, &status) == 0 ? status.st_ino : 0
    if watch >= 0 { inotify_rm_watch(descriptor, watch) }
    watch = inotify_add_watch(
      descriptor, path, UInt32(IN_MODIFY | IN_ATTRIB | IN_MOVE_SELF | IN_DELETE_SELF))
    (position, isMoved) = (0, watch < 0)
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(File.Failure) -> LiveInputRead {
    if takeChanges() { hasChanged = true }
    let count = pread(file, buffer.baseAddress, buffer.count, position)
    guard count >= 0 else {
      if errno == EINTR { return .nothing }
      throw Self.failure
    }
    position += count
    isRead = count == 0
    if count > 0 { return .bytes(count) }
    guard hasChanged || isMoved else { return .nothing }
    hasChanged = false
    guard reopened() || isShorter() else { return .nothing }
    isRead = false
    return .restart
  }

  /// Whether the file has another name, and its own is that of another file, which is read from now on.
  private func reopened() -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else {
      isMoved = true
      return false
    }
    guard status.st_ino != inode else { return false }
    let new = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard new >= 0 else { return false }
    close(file)
    file = new
    begin()
    return true
  }

  private func isShorter() -> Bool {
    var status = stat()
    guard fstat(file, &status) == 0, Int(status.st_size) < position else { return false }
    position = 0
    return true
  }

  /// Takes what inotify has noted; returns whether it has noted anything.
  private func takeChanges() -> Bool {
    var events = [UInt8](repeating: 0, count: 4096)
    var hasChanged = false
    while Glibc.read(descriptor, &events, events.count) > 0 { hasChanged = true }
    return hasChanged
  }

  private static var failure: File.Failure {
    File.Failure(reason: String(cString: strerror(errno)))
  }
}
