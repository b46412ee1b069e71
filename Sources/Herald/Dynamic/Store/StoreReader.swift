import HeraldEngine
import HeraldMaintenance
package import HeraldModel

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

  init(_ holder: VersionHolder) {
    process = holder.process
    session = holder.session
    isFrozen = holder.isFrozen
    version = holder.version
    since = holder.since
    bytes = holder.bytes
  }
}

extension DynamicStore {
  /// All readers that hold a version of the store, in this process and in others, oldest first.
  ///
  ///     for reader in try store.readers where reader.bytes > 100_000_000 {
  ///       print("process \(reader.process) has been at version \(reader.version) since \(reader.since)")
  ///     }
  ///
  /// Resting sessions hold no version. Entries of programs that have died are removed first. Cost:
  /// O(entries of the reader table and of the free list).
  package var readers: [StoreReader] {
    get throws { try session.readers().map(StoreReader.init) }
  }
}
