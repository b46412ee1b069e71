internal import CLMDB
internal import Glibc

extension StorageEnvironment {
  private static let largestMapInMemory = 1 << 36
  static let largestMapOnDisk = 1 << 40

  /// Opens a store; a file that is missing or empty becomes a new one, unless `readOnly`.
  ///
  /// A file that cannot be opened is left as it is, and nothing is made beside it. `mapSize` is
  /// the size in bytes that the store cannot exceed; `permissions` are those of a new file, as for
  /// `chmod`, whatever the process's mask.
  package static func open(
    _ location: Location, readOnly: Bool = false, mapSize: Int? = nil, permissions: UInt32 = 0o600
  ) throws(StorageError) -> StorageEnvironment {
    switch location {
    case .memory:
      let file = try openTemporary(mapSize: mapSize ?? largestMapInMemory)
      return StorageEnvironment(OpenStore(file), nil, isReadOnly: readOnly)
    case .file(let path):
      return try EnvironmentRegistry.shared.environment(
        at: path,
        FileOpening.Settings(
          isReadOnly: readOnly, mapSize: mapSize ?? largestMapOnDisk, permissions: permissions))
    }
  }

  /// Whether this process has the file at `path` open as a store, or as the lock file of one. Another
  /// descriptor of a lock file must not be made: with its closing the system drops LMDB's locks.
  package static func isOpen(fileAt path: String) -> Bool {
    FileIdentity(path).map { EnvironmentRegistry.shared.contains($0) } ?? false
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

  /// Opens a file of a file system, without a name from then on.
  static func openNameless(
    _ folder: String, _ options: OpenFile.Options
  ) throws(StorageError) -> OpenFile {
    var template = [CChar]((folder + "/herald-XXXXXX").utf8CString)
    let descriptor = mkstemp(&template)
    let path = template.withUnsafeBufferPointer {
      String(cString: $0.baseAddress.unsafelyUnwrapped)
    }
    guard descriptor >= 0 else {
      throw .cannotOpen(path: path, reason: StorageError.words(for: errno))
    }
    close(descriptor)
    defer {
      unlink(path)
      unlink(path + LockFile.suffix)
    }
    return try OpenFile.open(path, named: "", options)
  }

  /// The first folder with a gigabyte to spare, memory before disk; containers have less.
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
