/// The progress of a backup or a compaction.
package struct BackupProgress: Hashable, Sendable {
  /// The bytes copied, or the records compared, so far.
  package let done: Int
  /// The bytes to copy, or the records to compare, in total.
  package let total: Int

  /// The completed fraction, from 0 to 1.
  package var fraction: Double { total == 0 ? 1 : Double(done) / Double(total) }
}
