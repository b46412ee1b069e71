/// A value of a property, or within a collection.
public enum RealmValue: Sendable, Equatable {
  /// No value; also a link to an object that was deleted or has not arrived.
  case null
  /// A Boolean.
  case bool(Bool)
  /// An integer, or the raw value of an enumeration: the file does not tell them apart.
  case int(Int64)
  /// A number of 32 bits.
  case float(Float)
  /// A number of 64 bits.
  case double(Double)
  /// A text.
  case string(String)
  /// Bytes.
  case data([UInt8])
  /// A point in time: seconds since 1970-01-01 UTC, and nanoseconds, which have the sign of the
  /// seconds and are between -999,999,999 and 999,999,999.
  case timestamp(seconds: Int64, nanoseconds: Int32)
  /// A decimal128 of IEEE 754-2008 in the binary integer encoding: the halves of its 128 bits.
  case decimal(high: UInt64, low: UInt64)
  /// A UUID.
  case uuid(RealmUUID)
  /// An object ID.
  case objectID(RealmObjectID)
  /// An object of a class.
  case link(RealmLink)
  /// Values in order.
  case list([RealmValue])
  /// Different values, whose order means nothing.
  case set([RealmValue])
  /// Values by keys, which are different.
  case dictionary([RealmEntry])
}

/// An entry of a dictionary.
public struct RealmEntry: Sendable, Equatable {
  /// The key as it is stored: programs replace some characters, such as `.` by `%2E`.
  public let key: String
  /// The value.
  public let value: RealmValue

  /// Makes the entry with this key and value.
  public init(key: String, value: RealmValue) {
    self.key = key
    self.value = value
  }
}
