internal import CLMDB
internal import Glibc

extension StorageEnvironment {
  private static let largestMapInMemory = 1 << 36
  package static let largestMapOnDisk = 1 << 40

  /// Opens a store, unless `readOnly` also where there is none: its first commit makes the file. An empty file becomes a
  /// store at once.
  ///
  /// A file that cannot be opened is left as it is, and no file is created beside it. `mapSize` is
  /// the largest size of the store in bytes; `permissions` are those of a new file, as for `chmod`,
  /// and the process's umask does not apply to them.
  package static func open(
    _ location: Location, readOnly: Bool = false, mapSize: Int? = nil, permissions: UInt32 = 0o600
  ) throws(StorageError) -> StorageEnvironment {
    switch location {
    case .memory:
      let file = try openTemporary(mapSize: mapSize ?? largestMapInMemory)
      return StorageEnvironment(OpenStore(file), isInMemory: true, isReadOnly: readOnly)
    case .file(let path):
      return try EnvironmentRegistry.shared.environment(
        at: path,
        FileOpening.Settings(
          isReadOnly: readOnly, mapSize: mapSize ?? largestMapOnDisk, permissions: permissions))
    }
  }

  /// Returns whether this process has the file at `path` open as a store, or as the lock file of
  /// one, or will once the store is made. No other descriptor of a lock file may be opened: closing
  /// it would drop LMDB's locks.
  package static func isOpen(fileAt path: String) -> Bool {
    EnvironmentRegistry.shared.contains(path)
  }

  private static func openTemporary(mapSize: Int) throws(StorageError) -> OpenFile {
    let folder = temporaryFolder()
    var options = OpenFile.Options(mapSize: mapSize)
    options.isTemporary = true
    options.isNew = true
    guard let memory = MemoryFile.make(inFolder: folder) else {
      return try openNameless(folder, options)
    }
    options.isWrittenThroughMap = true
    options.mapSize = min(mapSize, MemoryFile.largestSize)
    return try OpenFile.open(memory.path, named: "", options)
  }

  /// Opens a file of a file system and removes its name.
  static func openNameless(
    _ folder: String, _ options: OpenFile.Options
  ) throws(StorageError) -> OpenFile {
    var template = [CChar]((folder + "/herald-XXXXXX").utf8CString)
    let descriptor = mkstemp(&template)
    let path = template.withUnsafeBufferPointer {
      String(cString: $0.baseAddress.unsafelyUnwrapped)
    }
    guard descriptor >= 0 else {
      throw .cannotOpen(path: path, reason: StorageError.message(for: errno))
    }
    close(descriptor)
    defer {
      unlink(path)
      unlink(path + LockFile.suffix)
    }
    return try OpenFile.open(path, named: "", options)
  }

  /// Returns the first folder with a gigabyte free, memory before disk; containers have less.
  private static func temporaryFolder() -> String {
    var folders = ["/dev/shm", "/tmp"]
    if let named = getenv("TMPDIR") { folders.insert(String(cString: named), at: 1) }
    let writable = folders.filter { access($0, W_OK) == 0 }
    let roomy = writable.first { folder in
      var status = statvfs()
      return statvfs(folder, &status) == 0
        && UInt(status.f_bavail) * UInt(status.f_frsize) >= 1 << 30
    }
    return roomy ?? writable.last ?? "/tmp"
  }
}
