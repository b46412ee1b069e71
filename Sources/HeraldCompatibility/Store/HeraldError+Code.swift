public import Foundation
public import Herald

extension HeraldError: LocalizedError {
  /// The sentence of `description`.
  public var errorDescription: String? { description }
}

extension HeraldError {
  /// The kind of an error, by the names of Realm.
  ///
  ///     do { realm = try Realm() } catch Realm.Error.fileNotFound { … }
  public enum Code: Int, Sendable {
    case fail = 1
    case fileAccess, filePermissionDenied, fileExists, fileNotFound
    case incompatibleLockFile, fileFormatUpgradeRequired, addressSpaceExhausted, schemaMismatch
    case alreadyOpen, invalidInput, unsupportedFileFormatVersion, outOfDiskSpace, invalidDatabase
    case fileOperationFailed
  }

  /// The code of another error.
  public static let fail = Code.fail
  /// The file cannot be read or written.
  public static let fileAccess = Code.fileAccess
  /// The user may not read or write the file.
  public static let filePermissionDenied = Code.filePermissionDenied
  /// There is a file that would be replaced.
  public static let fileExists = Code.fileExists
  /// There is no file.
  public static let fileNotFound = Code.fileNotFound
  /// The lock file is not that of the store.
  public static let incompatibleLockFile = Code.incompatibleLockFile
  /// The file has an older format.
  public static let fileFormatUpgradeRequired = Code.fileFormatUpgradeRequired
  /// There is no memory for more.
  public static let addressSpaceExhausted = Code.addressSpaceExhausted
  /// The store's classes differ from the program's.
  public static let schemaMismatch = Code.schemaMismatch
  /// The store is open.
  public static let alreadyOpen = Code.alreadyOpen
  /// A value that there cannot be.
  public static let invalidInput = Code.invalidInput
  /// The file has a newer format.
  public static let unsupportedFileFormatVersion = Code.unsupportedFileFormatVersion
  /// The disk is full.
  public static let outOfDiskSpace = Code.outOfDiskSpace
  /// The file is no store, or damaged.
  public static let invalidDatabase = Code.invalidDatabase
  /// What is at the path is no file, or what is on the way to it no folder.
  public static let fileOperationFailed = Code.fileOperationFailed

  /// The kind of an error, by the names of Realm.
  public var code: Code {
    switch self {
    case .cannotOpen(_, let reason), .cannotWrite(_, let reason), .diskFailed(_, let reason),
      .cannotUpdate(_, let reason):
      switch reason {
      case "No such file or directory": .fileNotFound
      case "File exists": .fileExists
      case "Permission denied", "Operation not permitted", "Read-only file system":
        .filePermissionDenied
      case "No space left on device": .outOfDiskSpace
      case "Not a directory", "Is a directory": .fileOperationFailed
      case "this is not a Realm file": .invalidDatabase
      case _: .fileAccess
      }
    case .notAStore, .damaged: .invalidDatabase
    case .newerFormat: .unsupportedFileFormatVersion
    case .olderFormat: .fileFormatUpgradeRequired
    case .schemaDiffers, .droppedFromSchema: .schemaMismatch
    case .lockReplaced, .lockRemoved, .otherLockInUse, .lockNeeded: .incompatibleLockFile
    case .otherStoreInUse, .locked: .alreadyOpen
    case .duplicateKey, .wrongType, .missingValue: .invalidInput
    case _: .fail
    }
  }

  /// The path of the store that cannot be opened or written; nil for another error.
  public var filePath: String? {
    switch self {
    case .notAStore(let path), .newerFormat(let path, _, _), .olderFormat(let path, _, _),
      .damaged(let path, _), .cannotOpen(let path, _), .cannotWrite(let path, _),
      .cannotUpdate(let path, _), .storeMade(let path), .storeReplaced(let path),
      .storeRemoved(let path), .lockReplaced(let path), .lockRemoved(let path),
      .otherLockInUse(let path), .otherStoreInUse(let path), .lockNeeded(let path),
      .diskFailed(let path, _), .locked(let path):
      path
    case _: nil
    }
  }
}

extension HeraldError {
  /// The file of the store that cannot be opened or written; nil for another error.
  public var fileURL: URL? { filePath.map { URL(filePath: $0) } }
}

/// Whether an error has a code: `catch Realm.Error.fileNotFound`.
public func ~= (code: HeraldError.Code, error: any Error) -> Bool {
  (error as? HeraldError)?.code == code
}
