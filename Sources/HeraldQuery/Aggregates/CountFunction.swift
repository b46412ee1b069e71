import HeraldModel

/// `@count`: the number of members. `[SIZE]` and `@size` are other words for it.
struct CountFunction: AggregateFunction {
  var word: String { "@count" }
  func accepts(_ element: ElementType) -> Bool { true }
  func type(of element: ElementType) -> ElementType { .int }
  func isFollowedExactly(_ element: ElementType) -> Bool { true }
  func accumulator(of element: ElementType, isFollowed: Bool) -> any Accumulator {
    MemberCounts()
  }
}

/// Members alone: nothing is kept of their values.
private final class MemberCounts: Accumulator {
  func reserve(_ count: Int) {}
  func add(_ value: Value, to group: Int) {}
  func remove(_ value: Value, from group: Int) {}
  func add(_ block: StoredBlock, _ rows: BlockMask, _ room: BlockRoom) {}
  func add(_ block: StoredBlock, _ rows: BlockMask, to group: Int, _ room: BlockRoom) {}
  func add(_ other: any Accumulator, _ groups: [(there: Int, here: Int)]) {}
  func clear(_ group: Int) {}
  func value(of group: Int, members: Int) -> Value { .int(members) }
  var bytesOfGroup: Int { 0 }
}
