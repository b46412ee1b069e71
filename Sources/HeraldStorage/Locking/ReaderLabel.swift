internal import CLMDB
internal import Glibc

/// The holder of a version: a session writes it beside its slot in the reader table, to show who
/// prevents old pages from being reused.
package struct ReaderLabel: Hashable, Sendable {
  /// The largest size of a name in bytes; longer ones are truncated.
  static let nameSize = 24

  package let name: String
  /// Whether the holder is frozen at the version.
  package let isFrozen: Bool

  package init(_ name: String, isFrozen: Bool = false) {
    var kept = ""
    for character in name where (kept + String(character)).utf8.count <= Self.nameSize {
      kept.append(character)
    }
    self.name = kept
    self.isFrozen = isFrozen
  }

  /// Milliseconds since 1970, by a coarse clock that costs a few nanoseconds.
  static var now: Int {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME_COARSE, &now)
    return now.tv_sec * 1000 + now.tv_nsec / 1_000_000
  }
}

/// A label with the transaction that it describes.
struct ReaderNote: Hashable, Sendable {
  let transaction: UInt64
  /// Milliseconds since 1970.
  let since: Int
  let label: ReaderLabel
}
