internal import CLMDB
internal import Glibc

/// A refusal or failure of storage; `path` is the store's file as it was named, empty in memory.
package enum StorageError: Error, Hashable, Sendable {
  /// The file is not a store of ours.
  case notAStore(path: String)
  /// The file was written by a later version of the program.
  case newerFormat(path: String, found: Int, supported: Int)
  /// The file was written by a version of the program that this one can no longer read.
  case olderFormat(path: String, found: Int, oldest: Int)
  /// The file is a store of ours whose content contradicts itself.
  case damaged(path: String, reason: String)
  /// A file cannot be created or written: the name is taken, no permission, no such folder.
  case cannotWrite(path: String, reason: String)
  /// A file is not a backup that can be updated.
  case cannotUpdate(path: String, reason: String)
  /// The file cannot be opened at all: no permission, a folder at its path, no such folder.
  case cannotOpen(path: String, reason: String)
  /// Another process has made the store's file before this one's first commit.
  case madeMeanwhile(path: String)
  /// The path of an open store leads to another file now.
  case replaced(path: String)
  /// No file is at the path of an open store any more.
  case removed(path: String)
  /// The path of an open store's lock file leads to another file now.
  case lockReplaced(path: String)
  /// The lock file of an open store was removed.
  case lockRemoved(path: String)
  /// Another process has the store open with another lock file.
  case otherLockInUse(path: String)
  /// Another process has the lock file open for another store, which was at this path before.
  case otherStoreInUse(path: String)
  /// Another process may write to the store, and this one may not write to the lock file, where
  /// readers are recorded.
  case lockNeeded(path: String)
  /// The last commit is in the journal only, and this process cannot write to the file to apply it.
  case commitInJournal(path: String)
  /// The disk failed during a commit.
  case diskFailed(path: String, reason: String)
  /// Another process holds the store.
  case locked(path: String)
  /// A write was requested in a store that is open, or can only be opened, for reading.
  case readOnly
  /// There is no space left for the store; committed data is intact.
  case full(path: String)
  /// A write transaction needs more than this many bytes of memory.
  case writeTooLarge(limit: Int)
  /// The caller no longer waits for the change.
  case interrupted
  /// Any other error of the operating system or of LMDB; `code` is theirs.
  case failed(operation: String, code: Int32, reason: String)
}

extension StorageError {
  /// The error for a code of LMDB or of the operating system.
  package static func explaining(_ code: Int32, _ operation: String, path: String) -> StorageError {
    switch code {
    case MDB_MAP_FULL, ENOSPC, EDQUOT, EFBIG: .full(path: path)
    case EROFS: .readOnly
    case EIO, ENXIO, ENODEV, MDB_PANIC: .diskFailed(path: path, reason: message(for: code))
    case MDB_CORRUPTED, MDB_PAGE_NOTFOUND, MDB_INVALID, MDB_VERSION_MISMATCH:
      .damaged(path: path, reason: message(for: code))
    case EAGAIN, EBUSY: .locked(path: path)
    default: .failed(operation: operation, code: code, reason: message(for: code))
    }
  }

  /// The error of a commit that the disk refused both to store and to erase.
  static func inDoubt(_ code: Int32, path: String) -> StorageError {
    .diskFailed(
      path: path,
      reason: message(for: code) + "; the next opening shows whether the commit is stored")
  }

  /// The same error for another path: the final name of a file instead of its current one.
  package func naming(_ path: String, inPlaceOf other: String) -> StorageError {
    switch self {
    case .full(other): .full(path: path)
    case .cannotOpen(other, let reason): .cannotWrite(path: path, reason: reason)
    case .notAStore, .newerFormat, .olderFormat, .damaged, .cannotWrite, .cannotUpdate, .cannotOpen,
      .madeMeanwhile,
      .replaced, .removed, .lockReplaced, .lockRemoved, .otherLockInUse, .otherStoreInUse,
      .lockNeeded, .commitInJournal, .diskFailed, .locked, .readOnly, .full, .writeTooLarge,
      .interrupted, .failed:
      self
    }
  }

  /// The message of LMDB, or of the operating system, for one of their codes.
  package static func message(for code: Int32) -> String { String(cString: mdb_strerror(code)) }
}
