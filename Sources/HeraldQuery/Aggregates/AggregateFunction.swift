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

/// What an aggregate needs of the members of groups, which are numbered from 0. A value that does not count, such as nil,
/// is added and removed like any other, so that the members of a group are as many as were added.
package protocol Accumulator: AnyObject {
  /// Makes room for the groups below a number.
  func reserve(_ count: Int)
  func add(_ value: Value, to group: Int)
  /// Removes a value that was added.
  func remove(_ value: Value, from group: Int)
  /// Adds some rows of a block, each to the group that `room` has for it.
  func add(_ block: StoredBlock, _ rows: BlockMask, _ room: BlockRoom)
  /// Adds some rows of a block to one group.
  func add(_ block: StoredBlock, _ rows: BlockMask, to group: Int, _ room: BlockRoom)
  /// Adds members that come after those so far: those of the group `there` in `other` to the group `here`.
  func add(_ other: any Accumulator, _ groups: [(there: Int, here: Int)])
  /// Forgets the members of a group.
  func clear(_ group: Int)
  /// The aggregate of a group that has so many members.
  func value(of group: Int, members: Int) -> Value
  /// The number of bytes that it keeps of each group.
  var bytesOfGroup: Int { get }
}
