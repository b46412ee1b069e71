/// What a link leads to.
public struct RealmLink: Sendable, Hashable {
  /// The index of the class in the file's `tables`.
  public let classIndex: Int
  /// The object's key, which is its number in formats up to 9.
  public let objectKey: Int64

  /// Makes the link to an object of a class.
  public init(classIndex: Int, objectKey: Int64) {
    self.classIndex = classIndex
    self.objectKey = objectKey
  }
}
