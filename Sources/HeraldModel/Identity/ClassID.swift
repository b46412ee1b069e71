/// The number of a class in a store: assigned at its declaration, never reused.
public struct ClassID: Hashable, Comparable, Sendable {
  /// The number, which is unique in a store.
  public let rawValue: UInt32
  /// The class with a number.
  public init(_ rawValue: UInt32) { self.rawValue = rawValue }
  /// Whether the class was declared before the other.
  public static func < (a: ClassID, b: ClassID) -> Bool { a.rawValue < b.rawValue }
}

extension ClassID {
  /// The hidden classes of the lists and of the maps nested in values of type `any`.
  package static let nestedLists = ClassID(.max - 1)
  package static let nestedMaps = ClassID(.max)

  package var isNested: Bool { self >= .nestedLists }
}
