/// Why a file, or a part of it, cannot be read.
///
///     do {
///       let file = try RealmFile(path: "default.realm")
///     } catch let error as RealmFileError {
///       print(error)  // default.realm: the file is in format 25; formats 2 to 24 can be read
///     }
public struct RealmFileError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public let reason: Reason
  /// The byte of the file, after decryption, at which it was found; nil if it concerns the whole file.
  public let position: Int?
  /// The path of the file; nil if it was given as bytes, and for what is found in its objects.
  public let path: String?
  /// The class whose objects are concerned; nil if it concerns the whole file.
  public let className: String?
  /// The property that is concerned; nil if it concerns whole objects.
  public let property: String?
  /// The key of the first object that is concerned; nil if that is not known.
  public let objectKey: Int64?

  /// Makes the error with this reason and these places.
  init(
    _ reason: Reason, position: Int? = nil, path: String? = nil,
    location: (className: String, property: String?, objectKey: Int64?)? = nil
  ) {
    self.reason = reason
    self.position = position
    self.path = path
    className = location?.className
    property = location?.property
    objectKey = location?.objectKey
  }

  /// Makes the error for a fault in the objects of a class.
  init(_ fault: Fault, className: String, property: String? = nil, objectKey: Int64? = nil) {
    self.init(
      fault.reason, position: fault.position,
      location: (className: className, property: property, objectKey: objectKey))
  }

  /// Makes the error for a fault that concerns the whole file.
  init(_ fault: Fault, path: String?) {
    self.init(fault.reason, position: fault.position, path: path)
  }
}

extension RealmFileError {
  /// What can be wrong with a file, or a part of it.
  public enum Reason: Equatable, Sendable {
    /// The system refuses to open or map the file, with this `errno`.
    case cannotOpen(code: Int32)
    /// The path names a folder, a device or the like.
    case notRegular
    /// The file does not begin as these files do.
    case notRealm
    /// The file does not begin as these files do, and has the form of an encrypted one.
    case probablyEncrypted
    /// A key was given, and the file is not encrypted.
    case notEncrypted
    /// The key has this number of bytes in place of 64.
    case keyLength(Int)
    /// The key does not belong to the file, or the first page of the file is damaged.
    case wrongKey
    /// The library `libcrypto.so.3`, which decrypts, is not installed or lacks a function.
    case noLibcrypto
    /// The file's format is newer than 24.
    case newerFormat(Int)
    /// The file's format is not among those that are described.
    case unknownFormat(Int)
    /// The end of the file is missing.
    case cutOff
    /// The file has no state before the newest.
    case noPreviousState

    /// A ref leads out of the file.
    case outside
    /// A ref is not a multiple of 8.
    case unaligned
    /// A ref does not lead to a node.
    case noNode
    /// A node is of a kind that the formats up to 24 do not have.
    case unknownNodeKind(Int)
    /// A node is not of the kind that belongs here.
    case wrongNode
    /// An array has no element at this index, or not one that belongs there.
    case missing(element: Int)
    /// A node has two parents, or contains itself.
    case shared
    /// Trees or collections are nested deeper than these files can be.
    case tooDeep
    /// A value is larger than what a file of this size can hold.
    case tooMuch
    /// There are not as many elements as there must be.
    case wrongCount(found: Int, expected: Int)
    /// A number is outside the range that it can have.
    case outOfRange
    /// A text is not UTF-8.
    case notUTF8
    /// A type of a column or of a value is not described.
    case unknownType(Int)
    /// A link leads to a class that the file does not have.
    case noClass(Int)
    /// A page's authentication code does not agree with its content.
    case damagedPage
    /// So much of the class is damaged that reading it was given up.
    case tooManyFaults
  }
}
