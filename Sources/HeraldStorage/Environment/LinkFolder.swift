internal import Glibc

/// A folder of our own with a link to each of two open files, for LMDB, which opens files by name.
///
/// The names lead to the very files that the descriptors are of, whatever somebody does to the names
/// that these have elsewhere. The folder goes with the value.
struct LinkFolder: ~Copyable {
  /// The name of the first file; that of the second ends in `-lock`.
  let path: String
  private let folder: String

  /// Where such folders can be: where nobody but their owner can put others in their places.
  static let places = ["/dev/shm", "/tmp", "/var/tmp"]

  /// Nil where the system lets no folder be made, or shows no descriptors.
  static func make(in parent: String, _ store: Int32, _ lock: Int32?) -> LinkFolder? {
    let template = (parent + "/herald-XXXXXX").withCString { strdup($0) }
    defer { free(template) }
    guard let template, mkdtemp(template) != nil else { return nil }
    let links = LinkFolder(String(cString: template))
    guard link(links.path, to: store) else { return nil }
    if let lock, !link(links.path + LockFile.suffix, to: lock) { return nil }
    return links
  }

  private init(_ folder: String) {
    self.folder = folder
    path = folder + "/store"
  }

  private static func link(_ name: String, to descriptor: Int32) -> Bool {
    descriptor >= 0 && symlink("/proc/self/fd/\(descriptor)", name) == 0
      && access(name, F_OK) == 0
  }

  /// Gives an open file a name; false, with `errno`, where that fails.
  static func give(_ file: OwnedDescriptor, theName name: String) -> Bool {
    linkat(AT_FDCWD, "/proc/self/fd/\(file.number)", AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0
  }

  deinit {
    unlink(path)
    unlink(path + LockFile.suffix)
    rmdir(folder)
  }
}
