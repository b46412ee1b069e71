internal import Glibc

/// The identity of a file within its file system: the same for every path that leads to it.
struct FileIdentity: Hashable, Sendable {
  let device: UInt
  let inode: UInt

  /// Nil when there is no such file.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  init(_ status: stat) {
    device = UInt(status.st_dev)
    inode = UInt(status.st_ino)
  }
}
