internal import CLMDB
internal import Glibc

/// The steps from a path to an open file, which leave no trace when one of them fails.
struct FileOpening {
  let path: String
  let readOnly: Bool
  let mapSize: Int

  /// Opens the store, or makes it when nothing is there; `isTaken` says whether a canonical path
  /// belongs to a file that is open already.
  func open(isTaken: (String) -> Bool) throws(StorageError) -> OpenFile {
    let verdict = try FileProbe.look(at: path)
    if readOnly {
      switch verdict {
      case .missing: throw .cannotOpen(path: path, reason: StorageError.words(for: ENOENT))
      case .empty: throw .notAStore(path: path)
      case .store: break
      }
    }
    let isWritable = verdict == .missing || Self.isWritable(path)
    guard readOnly || isWritable else { throw .readOnly }
    let made = verdict == .missing ? try makeFile() : false
    let canonical = try canonicalPath()
    let lockPath = canonical + "-lock"
    let hadLock = access(lockPath, F_OK) == 0
    do throws(StorageError) {
      guard !isTaken(canonical) else {
        throw .cannotOpen(path: path, reason: "it took the place of a file that is still open")
      }
      var options = OpenFile.Options(mapSize: mapSize)
      options.isNew = verdict != .store
      options.isReadOnly = !isWritable
      options.isWithoutLock = !isWritable && !hadLock && !Self.canMakeFile(beside: canonical)
      return try OpenFile.open(canonical, options)
    } catch {
      if !hadLock { unlink(lockPath) }
      if made { unlink(canonical) }
      throw error
    }
  }

  /// Whether we may write to a file; one without any permission to write is nobody's to write,
  /// not even the superuser's.
  private static func isWritable(_ path: String) -> Bool {
    var status = stat()
    return access(path, W_OK) == 0 && stat(path, &status) == 0 && status.st_mode & 0o222 != 0
  }

  private static func canMakeFile(beside path: String) -> Bool {
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "./"
    return access(String(folder), W_OK) == 0
  }

  /// Makes an empty file; false when another process was quicker and made one for us to open.
  private func makeFile() throws(StorageError) -> Bool {
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      if errno == EEXIST { return false }
      throw .cannotOpen(path: path, reason: StorageError.words(for: errno))
    }
    close(descriptor)
    return true
  }

  private func canonicalPath() throws(StorageError) -> String {
    guard let resolved = realpath(path, nil) else {
      throw .cannotOpen(path: path, reason: StorageError.words(for: errno))
    }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}

extension StorageEnvironment {
  private static let largestMapInMemory = 1 << 36
  private static let largestMapOnDisk = 1 << 40

  /// Opens a store; a file that is missing or empty becomes a new one, unless `readOnly`.
  ///
  /// A file that cannot be opened is left as it is, and nothing is made beside it. `mapSize` is
  /// the size in bytes that the store cannot exceed.
  package static func open(
    _ location: Location, readOnly: Bool = false, mapSize: Int? = nil
  ) throws(StorageError) -> StorageEnvironment {
    switch location {
    case .memory:
      let file = try openTemporary(mapSize: mapSize ?? largestMapInMemory)
      return StorageEnvironment(file, nil, isReadOnly: readOnly)
    case .file(let path):
      return try EnvironmentRegistry.shared.environment(
        at: path, readOnly: readOnly, mapSize: mapSize ?? largestMapOnDisk)
    }
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
    return try OpenFile.open(memory.path, options)
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
      unlink(path + "-lock")
    }
    return try OpenFile.open(path, options)
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
