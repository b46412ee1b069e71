internal import Glibc
internal import Synchronization

/// Which file of which file system: the same for every path that leads to it.
struct FileIdentity: Hashable, Sendable {
  let device: UInt
  let inode: UInt

  /// Nil when there is no such file.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt(status.st_dev)
    inode = UInt(status.st_ino)
  }
}

/// The files that this process has open; LMDB forbids to open one twice.
final class EnvironmentRegistry: Sendable {
  static let shared = EnvironmentRegistry()

  private struct Entry {
    let file: OpenFile
    weak var environment: StorageEnvironment?
    /// Environments that have not ended yet: one, and those of which only the end is to come.
    var uses: Int
  }

  private let entries = Mutex<[FileIdentity: Entry]>([:])

  /// The environment of the file at `path`, opened now when this process has it not open yet.
  func environment(
    at path: String, readOnly: Bool, mapSize: Int
  ) throws(StorageError) -> StorageEnvironment {
    try entries.withLock { entries throws(StorageError) in
      if let identity = FileIdentity(path), let entry = entries[identity] {
        if !readOnly && entry.file.isReadOnly { throw .readOnly }
        if let environment = entry.environment {
          if !readOnly { environment.allowWriting() }
          return environment
        }
        let environment = StorageEnvironment(entry.file, identity, isReadOnly: readOnly)
        entries[identity]?.environment = environment
        entries[identity]?.uses += 1
        return environment
      }
      let opening = FileOpening(path: path, readOnly: readOnly, mapSize: mapSize)
      let file = try opening.open { canonical in
        // The lock file goes by the path, so a file put in the place of one that is open would
        // share the lock of the other.
        entries.values.contains { $0.file.path == canonical }
      }
      guard let identity = FileIdentity(path) else {
        throw .cannotOpen(path: path, reason: "it went away")
      }
      let environment = StorageEnvironment(file, identity, isReadOnly: readOnly)
      entries[identity] = Entry(file: file, environment: environment, uses: 1)
      return environment
    }
  }

  /// An environment has ended; with the last one the file is closed, before anybody can open it.
  func release(_ identity: FileIdentity) {
    entries.withLock { entries in
      guard let entry = entries[identity] else { return }
      entries[identity]?.uses = entry.uses - 1
      guard entry.uses == 1 else { return }
      entries[identity] = nil
      entry.file.close()
    }
  }
}
