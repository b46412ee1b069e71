/// The progress of a backup or a compaction.
public struct BackupProgress: Hashable, Sendable {
  /// The bytes copied, or the records compared, so far.
  public let done: Int
  /// The bytes to copy, or the records to compare, in total.
  public let total: Int

  /// The completed fraction, from 0 to 1.
  public var fraction: Double { total == 0 ? 1 : Double(done) / Double(total) }
}
