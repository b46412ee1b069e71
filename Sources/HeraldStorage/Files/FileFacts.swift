package import Glibc

/// The `stat` data of a file: its identity, kind and owner.
package struct FileFacts: Sendable {
  package enum Kind: Sendable {
    case regular, directory, symbolicLink, other
  }

  package let identity: FileIdentity
  package let kind: Kind
  package let owner: uid_t
  package let group: gid_t
  /// The permission bits, as for `chmod`.
  package let permissions: mode_t
  /// The number of hard links to the file.
  package let links: Int
  package let size: Int

  /// The facts of an open file; nil if the descriptor is invalid.
  package init?(_ descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  /// The facts of the file at `path`, of a symbolic link itself; nil, with `errno` set, if there is none.
  package init?(at path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// The names in a folder, in no order; empty if it cannot be read.
  package static func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) { pointer in
          pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        })
    }
    return names
  }

  /// The beginning of a small file; empty if it cannot be read.
  package static func text(of path: String) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(descriptor, &bytes, bytes.count)
    return String(decoding: bytes[..<max(0, count)], as: UTF8.self)
  }

  private init(_ status: stat) {
    identity = FileIdentity(status)
    switch status.st_mode & S_IFMT {
    case S_IFREG: kind = .regular
    case S_IFDIR: kind = .directory
    case S_IFLNK: kind = .symbolicLink
    default: kind = .other
    }
    owner = status.st_uid
    group = status.st_gid
    permissions = status.st_mode & 0o7777
    links = Int(status.st_nlink)
    size = Int(status.st_size)
  }
}
