package import HeraldModel

/// An aggregate: its word, which values it takes, and what becomes of them. Each is a file of this folder;
/// `CollectionOperation` has the table of all.
package protocol AggregateFunction: Sendable {
  /// The word after a collection, such as `@sum`.
  var word: String { get }
  func accepts(_ element: ElementType) -> Bool
  /// What it accepts, in words.
  var needs: String { get }
  /// The type of the result.
  func type(of element: ElementType) -> ElementType
  /// Whether the result of values that come and go is, to the last digit, that of those that are left.
  func isFollowedExactly(_ element: ElementType) -> Bool
  /// - Parameter isFollowed: whether values will be removed.
  func accumulator(of element: ElementType, isFollowed: Bool) -> any Accumulator
}

extension AggregateFunction {
  package var needs: String { "numbers" }
}
