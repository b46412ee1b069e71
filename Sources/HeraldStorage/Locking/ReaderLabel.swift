internal import CLMDB
internal import Glibc

/// Who holds a version: what a session writes beside its place in the table of readers, for everybody who
/// asks who keeps old pages from being used again.
package struct ReaderLabel: Hashable, Sendable {
  /// As many bytes of a name are kept.
  static let nameSize = 24

  package let name: String
  /// Whether what holds the version is frozen at it.
  package let isFrozen: Bool

  package init(_ name: String, isFrozen: Bool = false) {
    var kept = ""
    for character in name where (kept + String(character)).utf8.count <= Self.nameSize {
      kept.append(character)
    }
    self.name = kept
    self.isFrozen = isFrozen
  }

  /// Milliseconds since 1970; the clock is one that costs a few nanoseconds.
  static var now: Int {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME_COARSE, &now)
    return now.tv_sec * 1000 + now.tv_nsec / 1_000_000
  }
}

/// A label with what it is of.
struct ReaderNote: Hashable, Sendable {
  let transaction: UInt64
  /// Milliseconds since 1970.
  let since: Int
  let label: ReaderLabel
}

extension ReadTransaction {
  /// Says who holds the version of the transaction from now on.
  package func label(_ label: ReaderLabel) { snapshot.label(label) }
}
