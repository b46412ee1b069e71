internal import CLMDB
internal import Glibc

/// A store's file and its lock file in memory, with a path that is valid while LMDB opens them.
///
/// Neither belongs to a file system, so no other file can use up the space they grow into, and
/// their pages are available as long as memory is, which writing through the map requires.
struct MemoryFile: ~Copyable {
  private let links: LinkFolder
  private let files: [OwnedDescriptor]

  /// The path for LMDB to open; its lock file is beside it.
  var path: String { links.path }

  /// Returns nil if the system has no such files, or if it overcommits memory strictly, so that
  /// they cannot be written through the map.
  static func make(inFolder parent: String) -> MemoryFile? {
    guard !isMemoryCounted else { return nil }
    let files = (0..<2).map { _ in OwnedDescriptor(memfd_create("herald", closeOnExecute)) }
    guard let links = LinkFolder.make(in: parent, files[0].number, files[1].number) else {
      return nil
    }
    return MemoryFile(links: links, files: files)
  }

  /// `MFD_CLOEXEC` of Linux.
  private static let closeOnExecute: UInt32 = 1

  /// Whether the system refuses pages beyond a fixed limit: then even memory can be full, and
  /// writing through a map would crash the program.
  private static var isMemoryCounted: Bool {
    let descriptor = open("/proc/sys/vm/overcommit_memory", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return true }
    defer { close(descriptor) }
    var mode = UInt8(ascii: "2")
    return read(descriptor, &mode, 1) != 1 || mode == UInt8(ascii: "2")
  }

  /// The largest size of such a file, in bytes: half of the machine's memory, which is also Linux's
  /// limit for file systems in memory, and at most the file size limit of this process.
  static var largestSize: Int {
    let memory = WriteMemory.ofMachine
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else {
      return memory / 2
    }
    return Int(min(UInt64(memory / 2), UInt64(limit.rlim_cur)))
  }
}
