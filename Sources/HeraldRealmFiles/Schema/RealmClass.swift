/// A class: its properties, and how many objects it has.
public struct RealmClass: Sendable, Equatable {
  /// The name in programs, or of a table of the library.
  public let name: String
  /// The name of the table: `class_` and the name, or another for tables of the library.
  public let tableName: String
  /// What the objects are.
  public internal(set) var kind: RealmClassKind = .topLevel
  /// The properties in the order of their declaration.
  public internal(set) var properties: [RealmProperty] = []
  /// The properties that are not stored, but follow from links of other classes.
  public internal(set) var backlinks: [RealmBacklinks] = []
  /// The number of objects, as the file has it; 0 if it cannot be read.
  public internal(set) var objectCount = 0
  /// The number of objects that were deleted while others link to them, as the file has it.
  public internal(set) var tombstoneCount = 0
  /// Why the class cannot be read; nil if it can.
  public internal(set) var error: RealmFileError?

  /// Makes the class of a table without properties.
  init(tableName: String) {
    self.tableName = tableName
    isLibraryTable = !tableName.hasPrefix(Self.prefix)
    name = isLibraryTable ? tableName : String(tableName.dropFirst(Self.prefix.count))
  }

  private static let prefix = "class_"

  /// Whether it is a table of the library, such as `metadata`, and none of the program.
  public let isLibraryTable: Bool
  /// Whether each object belongs to one other object.
  public var isEmbedded: Bool { kind == .embedded }
  /// Whether objects are only sent to a server, and not kept.
  public var isAsymmetric: Bool { kind == .asymmetric }

  /// The index of the property that identifies objects; nil if there is none.
  public var primaryKeyIndex: Int? { properties.firstIndex { $0.isPrimaryKey } }

  /// Returns the index of the property with this name; nil if there is none.
  public func propertyIndex(_ name: String) -> Int? {
    properties.firstIndex { $0.name == name }
  }
}

/// What the objects of a class are.
public enum RealmClassKind: Sendable {
  /// Objects of their own.
  case topLevel
  /// Objects that each belong to one other object.
  case embedded
  /// Objects that are only sent to a server.
  case asymmetric
}
