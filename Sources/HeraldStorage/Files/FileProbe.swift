internal import CLMDB
internal import Glibc

/// A check of a file with reads of our own, before LMDB may touch it or create its lock file.
///
/// LMDB trusts its file: a damaged one would crash the process (SIGBUS if the file is too short, a
/// failed assertion if a page is invalid), so the pages that lead to our format record are checked
/// here first.
struct FileProbe {
  enum Verdict {
    /// There is no file: a store can be created.
    case missing
    /// A file without content, or one that LMDB has only just initialized.
    case empty
    case store
  }

  let path: String
  private let descriptor: Int32
  private let size: Int

  /// Returns the kind of the file at `path`; throws if it cannot be opened as a store. Reads only.
  static func look(at path: String) throws(StorageError) -> Verdict {
    var status = stat()
    guard stat(path, &status) == 0 else {
      if errno == ENOENT { return .missing }
      throw .cannotOpen(path: path, reason: StorageError.message(for: errno))
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw .cannotOpen(path: path, reason: "it is a directory")
    default: throw .cannotOpen(path: path, reason: "it is not a regular file")
    }
    if status.st_size == 0 { return .empty }
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw .cannotOpen(path: path, reason: StorageError.message(for: errno))
    }
    defer { close(descriptor) }
    // A process may write to the store between two reads: a verdict is valid only if the meta pages
    // are the same before and after.
    var before = metaPages(descriptor)
    for _ in 0..<1000 {
      fstat(descriptor, &status)
      let probe = FileProbe(path: path, descriptor: descriptor, size: Int(status.st_size))
      let verdict = Result { () throws(StorageError) in try probe.verdict(probe.newestMeta()) }
      let after = metaPages(descriptor)
      if after == before { return try verdict.get() }
      before = after
    }
    throw .locked(path: path)
  }

  /// The parts of both meta pages that LMDB writes with every commit; their size is not known yet.
  private static func metaPages(_ descriptor: Int32) -> [UInt8] {
    let probe = FileProbe(path: "", descriptor: descriptor, size: 0)
    return [0, 4096].flatMap { probe.bytes(at: $0, count: Meta.end) }
  }
}

extension FileProbe {
  private func newestMeta() throws(StorageError) -> Meta {
    guard let first = Meta(bytes(at: 0, count: Meta.end)) else { throw formatError() }
    let version = bytes(at: 20, count: 4).withUnsafeBytes {
      Int($0.littleEndian(at: 0, as: UInt32.self))
    }
    // Another data version is LMDB's own, and no store of ours ever had it.
    guard version == 1 else { throw formatError() }
    let pageSize = first.pageSize
    guard pageSize >= 512, pageSize <= 65536, pageSize & (pageSize - 1) == 0 else {
      throw .damaged(path: path, reason: "its page size is \(pageSize)")
    }
    guard let second = Meta(bytes(at: pageSize, count: Meta.end)) else {
      throw .damaged(path: path, reason: "its second meta page is missing")
    }
    let newest = first.transaction >= second.transaction ? first : second
    guard newest.lastPage >= 1, newest.lastPage < size / pageSize else {
      throw .damaged(
        path: path, reason: "it is cut short: \(size) bytes of \(newest.lastPage + 1) pages")
    }
    return newest
  }

  private func verdict(_ meta: Meta) throws(StorageError) -> Verdict {
    if meta.mainRoot == UInt64.max { return .empty }
    let main = PageTree(self, meta, root: meta.mainRoot)
    guard let root = try databaseRoot("meta", in: main, meta), root != UInt64.max,
      let entry = try PageTree(self, meta, root: root).value(of: StoreFormat.key, .plain),
      let found = StoreFormat.version(in: entry)
    else { throw formatError() }
    guard found <= StoreFormat.version else {
      throw .newerFormat(path: path, found: found, supported: StoreFormat.version)
    }
    guard found >= StoreFormat.oldest else {
      throw .olderFormat(path: path, found: found, oldest: StoreFormat.oldest)
    }
    for name in ["columns", "lists", "links", "index", "log"] {
      guard try databaseRoot(name, in: main, meta) != nil else {
        throw .damaged(path: path, reason: "it has no database '\(name)'")
      }
    }
    return .store
  }

  /// Returns the error for a file without a valid format record: it is not a store, unless the
  /// record is found anywhere in it. Reads the file, of large ones the first gigabyte.
  private func formatError() -> StorageError {
    let chunk = 1 << 20
    for start in stride(from: 0, to: min(size, 1 << 30), by: chunk) {
      let bytes = bytes(at: start, count: chunk + 64)
      let isFound = bytes.withUnsafeBytes { bytes in
        StoreFormat.magic.withUnsafeBytes { magic in
          memmem(bytes.baseAddress!, bytes.count, magic.baseAddress!, magic.count) != nil
        }
      }
      if isFound {
        return .damaged(path: path, reason: "its format record is in the wrong position")
      }
    }
    return .notAStore(path: path)
  }

  /// Returns the root page of a named database, nil if there is no such database.
  ///
  /// The entry is an `MDB_db`: its flags at 4, its depth at 6, its root page at 40.
  private func databaseRoot(
    _ name: String, in main: PageTree, _ meta: Meta
  ) throws(StorageError) -> UInt64? {
    guard let entry = try main.value(of: name, .database) else { return nil }
    let root = entry.withUnsafeBytes { bytes -> UInt64? in
      guard bytes.count == 48, bytes.littleEndian(at: 6, as: UInt16.self) <= 32 else { return nil }
      let isSorted = name == "links" || name == "index"
      let flags = isSorted ? MDB_DUPSORT | MDB_DUPFIXED : 0
      guard bytes.littleEndian(at: 4, as: UInt16.self) == UInt16(flags) else { return nil }
      return bytes.littleEndian(at: 40, as: UInt64.self)
    }
    guard let root, root == .max || root <= UInt64(meta.lastPage) else {
      throw .damaged(path: path, reason: "the root of its database '\(name)' is invalid")
    }
    if root != .max { try PageTree(self, meta, root: root).checkRoot() }
    return root
  }

  func bytes(at offset: Int, count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = max(0, pread(descriptor, buffer.baseAddress, count, off_t(offset)))
    }
  }
}
