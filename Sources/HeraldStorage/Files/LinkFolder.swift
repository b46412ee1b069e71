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
    removeLeftOver(in: parent)
    let template = (parent + prefix + "XXXXXX").withCString { strdup($0) }
    defer { free(template) }
    guard let template, mkdtemp(template) != nil else { return nil }
    let links = LinkFolder(String(cString: template))
    guard link(links.path, to: store) else { return nil }
    if let lock, !link(links.path + LockFile.suffix, to: lock) { return nil }
    return links
  }

  private init(_ folder: String) {
    self.folder = folder
    path = folder + Self.name
  }

  private static let prefix = "/.herald-links-"
  private static let name = "/store"
  private static let target = "/proc/self/fd/"

  private static func link(_ name: String, to descriptor: Int32) -> Bool {
    descriptor >= 0 && symlink(target + String(descriptor), name) == 0
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

// A program that is killed while it opens a store leaves its folder.

extension LinkFolder {
  /// How old a folder is that nobody uses any more, in seconds; it is used for a moment.
  private static let longestUse = 3600

  /// Removes the folders of ours that were left, with nothing but our links in them.
  private static func removeLeftOver(in parent: String) {
    guard let entries = opendir(parent) else { return }
    defer { closedir(entries) }
    while let entry = readdir(entries) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard ("/" + name).hasPrefix(prefix) else { continue }
      let folder = parent + "/" + name
      var status = stat()
      guard lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
        status.st_uid == geteuid(), status.st_mode & 0o777 == 0o700,
        status.st_mtim.tv_sec < time(nil) - longestUse
      else { continue }
      for suffix in ["", LockFile.suffix] where isLink(folder + self.name + suffix) {
        unlink(folder + self.name + suffix)
      }
      rmdir(folder)
    }
  }

  /// Whether something is a link as `link` makes them.
  private static func isLink(_ path: String) -> Bool {
    var start = [CChar](repeating: 0, count: target.utf8.count)
    return readlink(path, &start, start.count) == start.count
      && start.elementsEqual(target.utf8.lazy.map { CChar(bitPattern: $0) })
  }
}
