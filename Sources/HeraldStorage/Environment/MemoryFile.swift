internal import CLMDB
internal import Glibc

/// A store's file and its lock file in memory, under a path that holds while LMDB opens them.
///
/// The two belong to no file system, so that nobody else's files can fill the place they grow in,
/// and a page of theirs is there whenever memory is: what writing through the map needs.
struct MemoryFile: ~Copyable {
  private let links: LinkFolder
  private let files: [OwnedDescriptor]

  /// What LMDB is to open; its lock file is beside it.
  var path: String { links.path }

  /// Nil where the system has no such files, or where it promises memory that it may not have, so
  /// that they cannot be written through the map.
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

  /// Whether the system refuses pages beyond a fixed sum: then even memory can be full, and writing
  /// through a map would end the program.
  private static var isMemoryCounted: Bool {
    let descriptor = open("/proc/sys/vm/overcommit_memory", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return true }
    defer { close(descriptor) }
    var mode = UInt8(ascii: "2")
    return read(descriptor, &mode, 1) != 1 || mode == UInt8(ascii: "2")
  }

  /// The largest size, in bytes, that such a file may get: half of the machine's memory, as Linux
  /// lets file systems in memory grow, and no more than files of this process may.
  static var largestSize: Int {
    let memory = WriteMemory.ofMachine
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else {
      return memory / 2
    }
    return Int(min(UInt64(memory / 2), UInt64(limit.rlim_cur)))
  }
}
