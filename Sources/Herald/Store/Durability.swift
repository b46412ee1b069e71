/// When a commit is safe from a loss of power, or a crash of the system. A crash of the program alone loses no commit.
///
///     store.durability = .normal
public enum Durability: Hashable, Sendable {
  /// Every commit is on the disk when it returns: it costs one wait for the disk, or two if it changes much.
  case full
  /// A commit that changes little does not wait for the disk, as long as no other process has the store open. It is on
  /// the disk with the next one that does, at the latest some hundredths of a second after the last commit, and when the
  /// store is closed. A loss of power takes the last commits until then, never part of one, and never one before another
  /// that stays.
  case normal
}
