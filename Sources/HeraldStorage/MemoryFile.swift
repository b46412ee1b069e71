internal import CLMDB
internal import Glibc

/// A store's file and its lock file in memory, under a path that holds while LMDB opens them.
///
/// The two belong to no file system, so that nobody else's files can fill the place they grow in,
/// and a page of theirs is there whenever memory is: what writing through the map needs. The path
/// leads to them by symbolic links in a folder that goes when the files are open.
struct MemoryFile: ~Copyable {
  /// What LMDB is to open; its lock file is beside it.
  let path: String
  private let folder: String
  private let descriptors: [Int32]

  private static let lockSuffix = "-lock"

  /// Nil where the system has no such files, or where it promises memory that it may not have, so
  /// that they cannot be written through the map.
  static func make(inFolder parent: String) -> MemoryFile? {
    guard !isMemoryCounted, let folder = makeFolder(in: parent) else { return nil }
    let file = MemoryFile(folder)
    guard file.link() else { return nil }
    return file
  }

  private init(_ folder: String) {
    self.folder = folder
    path = folder + "/store"
    descriptors = (0..<2).map { _ in memfd_create("herald", Self.closeOnExecute) }
  }

  private static func makeFolder(in parent: String) -> String? {
    let template = (parent + "/herald-XXXXXX").withCString { strdup($0) }
    defer { free(template) }
    guard let template, mkdtemp(template) != nil else { return nil }
    return String(cString: template)
  }

  /// Puts links to the two files in the folder; whether they lead there.
  private func link() -> Bool {
    let names = [path, path + Self.lockSuffix]
    return zip(names, descriptors).allSatisfy { name, descriptor in
      descriptor >= 0 && symlink("/proc/self/fd/\(descriptor)", name) == 0
        && access(name, W_OK) == 0
    }
  }

  deinit {
    unlink(path)
    unlink(path + Self.lockSuffix)
    rmdir(folder)
    for descriptor in descriptors where descriptor >= 0 { close(descriptor) }
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
    let memory = sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else {
      return memory / 2
    }
    return Int(min(UInt64(memory / 2), UInt64(limit.rlim_cur)))
  }
}
