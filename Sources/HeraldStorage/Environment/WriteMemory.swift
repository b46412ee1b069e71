internal import CLMDB
internal import Glibc

/// The memory that a part of a write transaction uses.
package struct WriteMemory: Sendable {
  package private(set) var bytes = 0

  static let pageSize = 4096

  package init() {}

  package mutating func add(_ count: Int) { bytes = bytes &+ count }

  /// The machine's memory, in bytes.
  static let ofMachine = sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))

  /// A quarter of the machine's memory.
  package static let defaultLimit = max(ofMachine / 4, 1 << 26)
}
