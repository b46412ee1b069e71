internal import CLMDB
internal import Glibc

/// The identity of a file within its file system: the same for every path that leads to it.
package struct FileIdentity: Hashable, Sendable {
  package let device: UInt
  package let inode: UInt

  /// Nil when there is no such file.
  package init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  init(_ status: stat) {
    device = UInt(status.st_dev)
    inode = UInt(status.st_ino)
  }

  private init(device: UInt, inode: UInt) { (self.device, self.inode) = (device, inode) }

  /// The identity of what a path leads to, which may be a symbolic link; nil, with `errno`, if that cannot be read.
  init?(ofNameAt path: String) {
    var (device, inode) = (UInt64(0), UInt64(0))
    switch herald_identity(path, &device, &inode) {
    case 0: self.init(device: UInt(device), inode: UInt(inode))
    case ENOSYS, EPERM:
      // Not every kernel, nor every sandbox, has the call.
      var status = stat()
      guard lstat(path, &status) == 0 else { return nil }
      self.init(status)
    case let code:
      errno = code
      return nil
    }
  }
}

extension StorageEnvironment {
  /// Returns whether two paths lead to one file, or would if it existed.
  package static func isOneFile(_ path: String, _ other: String) -> Bool {
    if let identity = FileIdentity(path) { return identity == FileIdentity(other) }
    let names = [path, other].map { $0.split(separator: "/").last }
    return names[0] == names[1] && FileIdentity(other) == nil
      && FileIdentity(FileFolder.path(of: path)) == FileIdentity(FileFolder.path(of: other))
  }
}
