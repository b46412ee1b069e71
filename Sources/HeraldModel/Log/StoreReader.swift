/// A session or a frozen value that holds a version of a store. Until it releases the version, pages of
/// that version and of later ones cannot be reused, and the file grows with every commit.
package struct StoreReader: Hashable, Sendable {
  /// The process id.
  package let process: Int
  /// The name of the session; nil where it has none, as during a backup.
  package let session: String?
  /// Whether a frozen value holds the version.
  package let isFrozen: Bool
  /// The version that is held.
  package let version: Int
  /// The time since which the version is held; nil where that is unknown.
  package let since: Timestamp?
  /// The size, in bytes, of the pages that commits have freed since then and that cannot be reused.
  package let bytes: Int

  package init(
    process: Int, session: String?, isFrozen: Bool, version: Int, since: Timestamp?, bytes: Int
  ) {
    self.process = process
    self.session = session
    self.isFrozen = isFrozen
    self.version = version
    self.since = since
    self.bytes = bytes
  }
}
