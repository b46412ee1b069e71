/// The values of a property of consecutive objects of one block.
public struct RealmColumn: Sendable {
  /// One value an object; null where it is damaged.
  public internal(set) var values: [RealmValue] = []
  /// What cannot be read.
  public internal(set) var damages: [RealmDamage] = []

  /// The indices in the block of the objects whose values these are.
  public var indices: Range<Int> { start..<start + values.count }
  private let start: Int

  /// Makes a column without values, with room for those of these objects.
  init(_ indices: Range<Int>) {
    start = indices.lowerBound
    values.reserveCapacity(indices.count)
  }
}

/// Values of a property that cannot be read.
public struct RealmDamage: Sendable, Equatable {
  /// The indices in the block of the objects.
  public let indices: Range<Int>
  /// Why.
  public let error: RealmFileError
}
