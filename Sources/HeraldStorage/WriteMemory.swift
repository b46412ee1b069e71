internal import CLMDB
internal import Glibc

/// How much memory something of a write transaction takes.
package struct WriteMemory: Sendable {
  package private(set) var bytes = 0

  static let pageSize = 4096

  package init() {}

  package mutating func add(_ count: Int) { bytes = bytes &+ count }

  /// A quarter of the machine's memory.
  package static let usualLimit: Int = {
    let memory = sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))
    return max(memory / 4, 1 << 26)
  }()
}
