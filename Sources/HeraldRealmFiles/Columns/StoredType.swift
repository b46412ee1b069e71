/// The types of columns and of values in "mixed", by the numbers that files have.
enum StoredType: Int {
  /// Integers.
  case int = 0
  /// Booleans.
  case bool = 1
  /// Texts.
  case string = 2
  /// Distinct strings, in formats up to 9.
  case enumerated = 3
  /// Bytes.
  case binary = 4
  /// Tables within tables, in formats up to 9.
  case subtable = 5
  /// Values of any type.
  case mixed = 6
  /// Dates of whole seconds, in formats up to 4.
  case seconds = 7
  /// Seconds and nanoseconds.
  case timestamp = 8
  /// Numbers of 32 bits.
  case float = 9
  /// Numbers of 64 bits.
  case double = 10
  /// Decimals.
  case decimal = 11
  /// Links to objects of one class.
  case link = 12
  /// Lists of links, in formats up to 23.
  case linkList = 13
  /// The origins of links, which follow from the links.
  case backlink = 14
  /// Object IDs.
  case objectID = 15
  /// Links to objects of any class, within mixed values.
  case typedLink = 16
  /// UUIDs.
  case uuid = 17
  /// Lists within mixed values.
  case nestedList = 19
  /// Dictionaries within mixed values.
  case nestedDictionary = 21

  /// The type of a property; nil for those that are not values.
  var propertyType: RealmPropertyType? {
    switch self {
    case .int: .int
    case .bool: .bool
    case .string, .enumerated: .string
    case .binary: .data
    case .mixed: .mixed
    case .seconds, .timestamp: .timestamp
    case .float: .float
    case .double: .double
    case .decimal: .decimal
    case .link, .linkList: .link
    case .objectID: .objectID
    case .uuid: .uuid
    case .subtable, .backlink, .typedLink, .nestedList, .nestedDictionary: nil
    }
  }
}
