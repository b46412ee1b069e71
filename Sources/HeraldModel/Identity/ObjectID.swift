/// The number of an object within its class, from 1 upward, never reused: its order is the order
/// of creation.
public typealias ObjectNumber = Int

/// One object of one class, in any version of a store.
public struct ObjectID: Hashable, Comparable, Sendable {
  public let classID: ClassID
  public let number: ObjectNumber

  public init(_ classID: ClassID, _ number: ObjectNumber) {
    self.classID = classID
    self.number = number
  }

  public static func < (a: ObjectID, b: ObjectID) -> Bool {
    (a.classID, a.number) < (b.classID, b.number)
  }
}
