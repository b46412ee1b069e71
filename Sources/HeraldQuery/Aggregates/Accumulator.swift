package import HeraldModel

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
