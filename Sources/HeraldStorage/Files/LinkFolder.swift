// Its headers define `timespec`, too: which module has it depends on the files that are compiled together.
internal import CLMDB
internal import Glibc

/// A private folder with a link to each of two open files, for LMDB, which opens files by name.
///
/// The links lead to the files of the descriptors, even if those are renamed or replaced elsewhere.
/// The folder is deleted with the value.
struct LinkFolder: ~Copyable {
  /// The name of the first file; that of the second ends in `-lock`.
  let path: String
  private let folder: String

  /// The possible parents of such folders: only a folder's owner can replace its contents there.
  static let parents = ["/dev/shm", "/tmp", "/var/tmp"]

  /// Returns nil if no folder can be created, or if the system does not expose descriptors.
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

  /// Gives an open file a name; returns false, with `errno` set, if that fails.
  static func give(_ file: OwnedDescriptor, theName name: String) -> Bool {
    linkat(AT_FDCWD, "/proc/self/fd/\(file.number)", AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0
  }

  deinit {
    unlink(path)
    unlink(path + LockFile.suffix)
    rmdir(folder)
  }
}

// A program that is killed while it opens a store leaves its folder behind.

extension LinkFolder {
  /// The age, in seconds, above which a folder is certainly unused; it is needed only for a moment.
  private static let longestUse = 3600

  /// Removes folders of ours that were left behind and contain only our links.
  private static func removeLeftOver(in parent: String) {
    for name in FileFacts.names(in: parent) where ("/" + name).hasPrefix(prefix) {
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

  /// Returns whether the file at a path is a link as `link` creates them.
  private static func isLink(_ path: String) -> Bool {
    var start = [CChar](repeating: 0, count: target.utf8.count)
    return readlink(path, &start, start.count) == start.count
      && start.elementsEqual(target.utf8.lazy.map { CChar(bitPattern: $0) })
  }
}
