internal import Glibc

/// The folder that a file is in.
package enum FileFolder {
  /// Its path, with the slash at its end.
  package static func path(of file: String) -> String {
    file.lastIndex(of: "/").map { String(file[...$0]) } ?? "./"
  }

  /// Makes changes of names in it survive a power loss; returns 0 or the system's code.
  package static func sync(of file: String) -> Int32 {
    let folder = open(path(of: file), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return errno }
    defer { close(folder) }
    // Some file systems keep names without a sync, and refuse one.
    return fsync(folder) == 0 || errno == EINVAL ? 0 : errno
  }
}
