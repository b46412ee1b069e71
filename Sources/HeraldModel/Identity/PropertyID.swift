/// The number of a property within its class, from 1 upward, never reused.
public struct PropertyID: Hashable, Comparable, Sendable {
  /// The number, which is unique in a class.
  public let rawValue: UInt32
  /// The property with a number.
  public init(_ rawValue: UInt32) { self.rawValue = rawValue }
  /// Whether the property was declared before the other.
  public static func < (a: PropertyID, b: PropertyID) -> Bool { a.rawValue < b.rawValue }
}

extension PropertyID {
  /// The property of a nested list or map that has its elements.
  package static let elements = PropertyID(1)
}
