/// One object of one class, in any version of a store.
public struct ObjectID: Hashable, Comparable, Sendable {
  /// The class of the object.
  public let classID: ClassID
  /// The number of the object in its class.
  public let number: ObjectNumber

  /// The object of a class with a number.
  public init(_ classID: ClassID, _ number: ObjectNumber) {
    self.classID = classID
    self.number = number
  }

  /// Whether the object's class, or its number in the same class, is before the other's.
  public static func < (a: ObjectID, b: ObjectID) -> Bool {
    (a.classID, a.number) < (b.classID, b.number)
  }
}
