internal import CLMDB
internal import Glibc
internal import Synchronization

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

/// A label with the version that it describes.
package struct ReaderNote: Hashable, Sendable {
  /// The low bits of a version that a reader table has.
  package static let versionMask = 1 << 21 - 1

  package let transaction: UInt64
  /// In a reader table only the low bits.
  package let version: Int
  /// Milliseconds since 1970.
  package let since: Int
  package let label: ReaderLabel
}

/// The holder of a version that no reader table lists: its session moves it, any thread reads it.
final class VersionHolding: Sendable {
  let label: ReaderLabel
  private let transaction: Atomic<UInt64>
  private let version: Atomic<Int>
  private let since: Atomic<Int>

  init(_ label: ReaderLabel, _ transaction: UInt64, version: Int) {
    self.label = label
    self.transaction = Atomic(transaction)
    self.version = Atomic(version)
    since = Atomic(ReaderLabel.now)
  }

  func move(to number: UInt64, version newVersion: Int) {
    guard
      transaction.load(ordering: .relaxed) != number
        || version.load(ordering: .relaxed) != newVersion
    else { return }
    transaction.store(number, ordering: .relaxed)
    version.store(newVersion, ordering: .relaxed)
    since.store(ReaderLabel.now, ordering: .relaxed)
  }

  var note: ReaderNote {
    ReaderNote(
      transaction: transaction.load(ordering: .relaxed),
      version: version.load(ordering: .relaxed), since: since.load(ordering: .relaxed),
      label: label)
  }
}
