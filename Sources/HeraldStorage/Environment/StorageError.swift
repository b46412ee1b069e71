internal import CLMDB
internal import Glibc

/// Why storage refused or failed; `path` is the store's file as it was named, empty in memory.
package enum StorageError: Error, Hashable, Sendable {
  /// The file is something else than a store of ours.
  case notAStore(path: String)
  /// The file was written by a later version of the program.
  case newerFormat(path: String, found: Int, supported: Int)
  /// The file was written by a version of the program that this one can no longer read.
  case olderFormat(path: String, found: Int, oldest: Int)
  /// The file is a store of ours whose content contradicts itself.
  case damaged(path: String, reason: String)
  /// A file cannot be made or written: its name is taken, permission, no such folder.
  case cannotWrite(path: String, reason: String)
  /// A file is no backup that can be brought up to date.
  case cannotUpdate(path: String, reason: String)
  /// The file cannot be opened at all: permission, a folder in its place, no such folder.
  case cannotOpen(path: String, reason: String)
  /// The path of a store that is open leads to another file by now.
  case replaced(path: String)
  /// Nothing is at the path of a store that is open any more.
  case removed(path: String)
  /// The path of the lock file of a store that is open leads to another file by now.
  case lockReplaced(path: String)
  /// The lock file of a store that is open is gone.
  case lockRemoved(path: String)
  /// Another process has the store open with another lock file.
  case otherLockInUse(path: String)
  /// Another process has the lock file open for another store, which was here before this one.
  case otherStoreInUse(path: String)
  /// Somebody may write to the store, and we may not write to the lock file, where readers are noted.
  case lockNeeded(path: String)
  /// The disk failed while a transaction was committed.
  case diskFailed(path: String, reason: String)
  /// Another process holds the store.
  case locked(path: String)
  /// A write was asked for in a store that is open, or can only be opened, for reading.
  case readOnly
  /// There is no room left for the store; what was committed is intact.
  case full(path: String)
  /// A write transaction needs more than this many bytes of memory.
  case writeTooLarge(limit: Int)
  /// Nobody waits for the change any more.
  case interrupted
  /// Any other refusal of the operating system or of LMDB; `code` is theirs.
  case failed(operation: String, code: Int32, reason: String)
}

extension StorageError {
  /// What an error code of LMDB or of the operating system means for the caller.
  static func explaining(_ code: Int32, _ operation: String, path: String) -> StorageError {
    switch code {
    case MDB_MAP_FULL, ENOSPC, EDQUOT, EFBIG: .full(path: path)
    case EROFS: .readOnly
    case EIO, ENXIO, ENODEV, MDB_PANIC: .diskFailed(path: path, reason: words(for: code))
    case MDB_CORRUPTED, MDB_PAGE_NOTFOUND, MDB_INVALID, MDB_VERSION_MISMATCH:
      .damaged(path: path, reason: words(for: code))
    case EAGAIN, EBUSY: .locked(path: path)
    default: .failed(operation: operation, code: code, reason: words(for: code))
    }
  }

  /// The same error of another file: of the name that a file is to have in place of the one that it has.
  func naming(_ path: String, inPlaceOf other: String) -> StorageError {
    switch self {
    case .full(other): .full(path: path)
    case .cannotOpen(other, let reason): .cannotWrite(path: path, reason: reason)
    case .notAStore, .newerFormat, .olderFormat, .damaged, .cannotWrite, .cannotUpdate, .cannotOpen,
      .replaced, .removed, .lockReplaced, .lockRemoved, .otherLockInUse, .otherStoreInUse,
      .lockNeeded, .diskFailed, .locked, .readOnly, .full, .writeTooLarge, .interrupted, .failed:
      self
    }
  }

  /// The words of LMDB, or of the operating system, for one of their codes.
  static func words(for code: Int32) -> String { String(cString: mdb_strerror(code)) }
}
