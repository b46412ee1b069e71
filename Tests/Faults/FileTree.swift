import Glibc

/// Files as bytes, copied and removed without a shell.
enum FileTree {
  static func name(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }

  static func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  static func size(_ path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  static func read(_ path: String) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    let size = size(path)
    var bytes = [UInt8](repeating: 0, count: size)
    var done = 0
    while done < size {
      let count = bytes.withUnsafeMutableBytes {
        Glibc.read(descriptor, $0.baseAddress! + done, size - done)
      }
      guard count > 0 else { break }
      done += count
    }
    return Array(bytes.prefix(done))
  }

  static func text(_ path: String) -> String { String(decoding: read(path), as: UTF8.self) }

  /// Writes a file anew.
  /// - Parameter size: its length, where that is another than that of the bytes.
  @discardableResult
  static func write(_ bytes: [UInt8], to path: String, size: Int? = nil) -> Bool {
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
  static func write(_ text: String, to path: String) -> Bool { write(Array(text.utf8), to: path) }

  /// - Parameter isSparse: the zeros at its end become a hole.
  static func copy(_ source: String, to target: String, isSparse: Bool = false) {
    guard exists(source) else { return }
    let bytes = read(source)
    let end = isSparse ? (bytes.lastIndex { $0 != 0 } ?? -1) + 1 : bytes.count
    write(Array(bytes.prefix(end)), to: target, size: bytes.count)
  }

  /// A store's file and its lock.
  static func removeStore(_ path: String) {
    unlink(path)
    unlink(path + "-lock")
  }

  static func makeFolders(_ path: String) {
    var made = ""
    for part in path.split(separator: "/") {
      made += "/" + part
      mkdir(made, 0o700)
    }
  }

  static func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }

  static func remove(_ path: String) {
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
