internal import CLMDB
internal import Glibc

/// How much memory something of a write transaction takes.
package struct WriteMemory: Sendable {
  package private(set) var bytes = 0

  static let pageSize = 4096

  package init() {}

  package mutating func add(_ count: Int) { bytes = bytes &+ count }

  /// The memory that the machine has, in bytes.
  static let ofMachine = sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))

  /// A quarter of the machine's memory.
  package static let usualLimit = max(ofMachine / 4, 1 << 26)
}
