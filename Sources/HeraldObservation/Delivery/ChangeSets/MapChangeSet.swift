/// The changes of a map between two deliveries, as keys, each array in the order of keys.
public struct MapChangeSet: Hashable, Sendable {
  /// Removed keys.
  public var deletions: [String]
  /// Added keys.
  public var insertions: [String]
  /// Keys with another value, or whose linked object changed.
  public var modifications: [String]

  /// A change of its keys.
  public init(deletions: [String] = [], insertions: [String] = [], modifications: [String] = []) {
    self.deletions = deletions
    self.insertions = insertions
    self.modifications = modifications
  }

  /// Whether no key changed.
  public var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }
}
