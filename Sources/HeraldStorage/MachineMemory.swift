internal import CLMDB
internal import Glibc

/// The memory that the machine has.
enum MachineMemory {
  /// In bytes.
  static let size = sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))
}
