/// A property of a class.
public struct RealmProperty: Sendable, Equatable {
  /// The name as it is stored: not that which a program maps it to.
  public let name: String
  /// The type of the values, or of the elements of collections.
  public let type: RealmPropertyType
  /// Whether values, or elements, can be null. Single links and mixed values always can.
  public let isOptional: Bool
  /// Which collection the values are.
  public let collection: RealmCollectionKind
  /// The index in the file's `tables` of the class that links lead to; nil for other types.
  public let targetIndex: Int?
  /// Whether it identifies the objects of the class.
  public internal(set) var isPrimaryKey: Bool
  /// Whether it has a search index.
  public let isIndexed: Bool
  /// Whether it has an index of words.
  public let isFullTextIndexed: Bool
  /// Whether the values are stored as indices of distinct texts.
  public let isEnumerated: Bool

  /// Whether it was made by the library of synced files, not by a program.
  public var isLibraryProperty: Bool { name == "!OID" }
}

/// The type of a property's values.
public enum RealmPropertyType: Sendable, Equatable {
  /// Integers of 64 bits, and enumerations of integers.
  case int
  /// Booleans.
  case bool
  /// Texts.
  case string
  /// Bytes.
  case data
  /// Values of any type.
  case mixed
  /// Points in time.
  case timestamp
  /// Numbers of 32 bits.
  case float
  /// Numbers of 64 bits.
  case double
  /// Decimals of 128 bits.
  case decimal
  /// Objects of a class.
  case link
  /// Object IDs of 12 bytes.
  case objectID
  /// UUIDs.
  case uuid
  /// A type that is not described, by its number; its values cannot be read.
  case unknown(Int)
}

/// Whether the values of a property are collections.
public enum RealmCollectionKind: Sendable {
  /// One value an object.
  case none
  /// A list an object.
  case list
  /// A set an object.
  case set
  /// A dictionary an object.
  case dictionary
}

/// A property that is not stored: the objects of another class that link to an object.
public struct RealmBacklinks: Sendable, Equatable {
  /// The index in the file's `tables` of the class that has the links; nil if the file does not say.
  public let originIndex: Int?
  /// The property that has the links; nil if the file does not say.
  public let originProperty: String?
}
