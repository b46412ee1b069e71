package import Glibc

/// Files as bytes, copied and removed without a shell.
package enum FileTree {
  /// What the system returned in place of a file or a folder.
  package struct Failure: Error {
    package let path: String
    package let code: Int32

    package init(path: String, code: Int32) {
      self.path = path
      self.code = code
    }
  }

  package static func name(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }

  package static func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  package static func size(_ path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  /// The status of a file itself, also where it is a link; all zeros where there is none.
  package static func status(_ path: String) -> stat {
    var status = stat()
    return lstat(path, &status) == 0 ? status : stat()
  }

  /// The permission bits of a file; 0 where there is none.
  package static func permissions(_ path: String) -> mode_t { status(path).st_mode & 0o7777 }

  /// Where a link leads; nil where there is no link.
  package static func linkTarget(_ path: String) -> String? {
    var bytes = [CChar](repeating: 0, count: 4096)
    let count = readlink(path, &bytes, bytes.count)
    guard count >= 0 else { return nil }
    return String(decoding: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// The bytes of a file; none where it cannot be read.
  package static func read(_ path: String) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = Glibc.read(descriptor, &chunk, chunk.count), count > 0 {
      bytes += chunk[..<count]
    }
    return bytes
  }

  /// The text of a file; empty where it cannot be read.
  package static func text(_ path: String) -> String {
    String(decoding: read(path), as: UTF8.self)
  }

  /// Writes a file anew, and returns whether that succeeded.
  /// - Parameter size: its length, where that is another than that of the bytes.
  @discardableResult
  package static func write(_ bytes: [UInt8], to path: String, size: Int? = nil) -> Bool {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress! + done, bytes.count - done)
      }
      guard count > 0 else { return false }
      done += count
    }
    return size.map { ftruncate(descriptor, off_t($0)) == 0 } ?? true
  }

  @discardableResult
  package static func write(_ text: String, to path: String) -> Bool {
    write(Array(text.utf8), to: path)
  }

  /// Writes a file anew that a test cannot do without.
  package static func save(_ bytes: [UInt8], to path: String) throws {
    guard write(bytes, to: path) else { throw Failure(path: path, code: errno) }
  }

  package static func save(_ text: String, to path: String) throws {
    try save(Array(text.utf8), to: path)
  }

  /// - Parameter isSparse: the zeros at its end become a hole.
  package static func copy(_ source: String, to target: String, isSparse: Bool = false) {
    guard exists(source) else { return }
    let bytes = read(source)
    let end = isSparse ? (bytes.lastIndex { $0 != 0 } ?? -1) + 1 : bytes.count
    write(Array(bytes.prefix(end)), to: target, size: bytes.count)
  }

  /// Removes a store's file and its lock file.
  package static func removeStore(_ path: String) {
    unlink(path)
    unlink(path + "-lock")
  }

  package static func makeFolders(_ path: String) {
    var made = ""
    for part in path.split(separator: "/") {
      made += "/" + part
      mkdir(made, 0o700)
    }
  }

  /// The names in a folder, in order; none where it cannot be read.
  package static func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Removes a file, or a folder with everything in it. A link is removed, not what it leads to.
  package static func remove(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      unlink(path)
      return
    }
    for name in names(in: path) { remove(path + "/" + name) }
    rmdir(path)
  }
}
