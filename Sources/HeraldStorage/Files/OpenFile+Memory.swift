internal import Glibc

// The memory that a file's pages take in this process. It belongs to the system, which reads a page from the file
// where it is needed, but counts as the process's own while the page is mapped.

extension OpenFile {
  /// Gives the memory of the pages that were read back to the system. No effect in memory. Costs a look at the list of
  /// the process's mappings.
  func releaseMemory() {
    guard !isInMemory, let identity = FileIdentity(path) else { return }
    for mapping in Self.mappings(of: identity) {
      madvise(mapping.baseAddress, mapping.count, MADV_DONTNEED)
    }
  }

  /// Where the file with this identity is mapped: lines of `start-end permissions offset device inode path`.
  private static func mappings(of identity: FileIdentity) -> [UnsafeMutableRawBufferPointer] {
    guard let list = fopen("/proc/self/maps", "re") else { return [] }
    defer { fclose(list) }
    var mappings: [UnsafeMutableRawBufferPointer] = []
    var line = [CChar](repeating: 0, count: 4096)
    while fgets(&line, Int32(line.count), list) != nil {
      let text = String(
        decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      let fields = text.split(separator: " ", maxSplits: 5)
      guard fields.count >= 5, UInt(fields[4]) == identity.inode, fields[1].hasSuffix("s") else {
        continue
      }
      let bounds = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
      guard bounds.count == 2 else { continue }
      mappings.append(
        UnsafeMutableRawBufferPointer(
          start: UnsafeMutableRawPointer(bitPattern: bounds[0]), count: Int(bounds[1] - bounds[0])))
    }
    return mappings
  }
}
