import Glibc
import Herald

/// Reads whole files and the names in folders, and creates files that are the user's alone.
package enum File {
  package struct Failure: Error {
    package let reason: String
  }

  /// Returns the bytes of the file at `path`; `-` is standard input.
  static func read(_ path: String) throws(Failure) -> [UInt8] {
    try refuse(storeAt: path)
    let descriptor = path == "-" ? 0 : Glibc.open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { throw failure() }
    defer { if descriptor > 0 { close(descriptor) } }
    var bytes: [UInt8] = []
    var size = 1 << 16
    while true {
      var status = 0
      let chunk = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
        status = Glibc.read(descriptor, buffer.baseAddress, size)
        count = max(0, status)
      }
      if status < 0, errno != EINTR { throw failure() }
      if status == 0 { return bytes }
      bytes += chunk
      size = min(size * 2, 1 << 24)
    }
  }

  /// A path with the user's home folder for `~` at its start: of an argument, or in a statement by `Source.filePath`.
  package static func expanded(_ path: String) -> String {
    guard path == "~" || path.hasPrefix("~/"), let home = getenv("HOME") else { return path }
    return String(cString: home) + path.dropFirst()
  }

  /// Returns the names in a folder, those of folders with a slash at the end; empty if it cannot be read.
  static func names(in folder: String) -> [String] {
    let folder = expanded(folder)
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard name != ".", name != ".." else { continue }
      var facts = stat()
      let isFolder = stat("\(folder)/\(name)", &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
      names.append(isFolder ? name + "/" : name)
    }
    return names
  }

  /// Refuses the files of an open store, which only the store may read and write.
  static func refuse(storeAt path: String) throws(Failure) {
    if path != "-" && DynamicStore.isOpen(fileAt: path) {
      throw Failure(reason: "it belongs to an open store")
    }
  }

  /// Creates a file for writing, with exactly these permissions, whatever the umask, or with those that the umask leaves
  /// everybody; fails if the path exists or is a symbolic link.
  package static func make(_ path: String, permissions: UInt32? = 0o600) throws(Failure) -> Int32 {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let descriptor = Glibc.open(path, flags, permissions == nil ? 0o666 : 0o600)
    guard descriptor >= 0 else { throw failure() }
    guard let permissions else { return descriptor }
    guard fchmod(descriptor, permissions) == 0 else {
      let failure = failure()
      close(descriptor)
      unlink(path)
      throw failure
    }
    return descriptor
  }

  private static func failure() -> Failure { Failure(reason: String(cString: strerror(errno))) }
}
