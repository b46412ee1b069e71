/// What happens if an object with the primary key of an added one exists.
public enum UpdatePolicy: Hashable, Sendable {
  /// The write fails with `duplicateKey`.
  case error
  /// Properties that differ are changed.
  case modified
  /// Every property is set, and reported to observers as changed.
  case all
}
