internal import CLMDB
internal import Glibc

/// The pages of a store's file, read without LMDB, which trusts their content.
///
///     file := meta meta page*               pages of one size, numbered from 0
///     meta := header:16 bytes magic:u32 version:u32 address:u64 map size:u64
///             free tree:48 bytes main tree:48 bytes last page:u64 transaction:u64
///     tree := pad:u32 flags:u16 depth:u16 branch pages:u64 leaf pages:u64 overflow pages:u64
///             entries:u64 root:u64                                            as LMDB 0.9 has them
///
/// Numbers are in native byte order. The page size is the pad of the free tree.
package final class PageFile {
  package let base: UnsafeRawPointer
  /// In bytes, when the file was mapped.
  package let size: Int

  /// Maps a descriptor's file for reading. Errors: the system's.
  package init(_ descriptor: Int32) throws(StorageError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw .failed(operation: "check", code: errno, reason: StorageError.message(for: errno))
    }
    size = Int(status.st_size)
    let mapped = mmap(nil, max(size, 1), PROT_READ, MAP_SHARED, descriptor, 0)
    guard let mapped, mapped != MAP_FAILED else {
      throw .failed(operation: "check", code: errno, reason: StorageError.message(for: errno))
    }
    base = UnsafeRawPointer(mapped)
  }

  /// Gives the memory of the pages that were read back to the system, which reads them again where needed.
  func releaseMemory() {
    madvise(UnsafeMutableRawPointer(mutating: base), max(size, 1), MADV_DONTNEED)
  }

  deinit { munmap(UnsafeMutableRawPointer(mutating: base), max(size, 1)) }

  /// One of LMDB's trees, as described by the meta page or an entry of the main tree.
  package struct Tree: Equatable {
    package static let size = 48
    package static let none = UInt64.max

    let pad: UInt32
    let flags: UInt16
    let depth: Int
    let branchPages: UInt64
    let leafPages: UInt64
    let overflowPages: UInt64
    package let entries: UInt64
    package let root: UInt64

    package init(_ bytes: UnsafeRawBufferPointer) {
      pad = bytes.littleEndian(at: 0, as: UInt32.self)
      flags = bytes.littleEndian(at: 4, as: UInt16.self)
      depth = Int(bytes.littleEndian(at: 6, as: UInt16.self))
      branchPages = bytes.littleEndian(at: 8, as: UInt64.self)
      leafPages = bytes.littleEndian(at: 16, as: UInt64.self)
      overflowPages = bytes.littleEndian(at: 24, as: UInt64.self)
      entries = bytes.littleEndian(at: 32, as: UInt64.self)
      root = bytes.littleEndian(at: 40, as: UInt64.self)
    }
  }

  /// One of the two meta pages of the file: a commit writes the one that is not in use.
  package struct Meta: Equatable {
    package let pageSize: Int
    package let free: Tree
    package let main: Tree
    package let lastPage: UInt64
    package let transaction: UInt64
  }

  /// Returns the meta page at an offset, nil if there is none. Its numbers are not verified.
  package func meta(at offset: Int) -> Meta? {
    guard offset >= 0, offset + 152 <= size else { return nil }
    let bytes = UnsafeRawBufferPointer(start: base + offset, count: 152)
    let number = bytes.littleEndian(at: 0, as: UInt64.self)
    guard bytes.littleEndian(at: 16, as: UInt32.self) == 0xBEEF_C0DE,
      bytes.littleEndian(at: 20, as: UInt32.self) == 1,
      bytes.littleEndian(at: 10, as: UInt16.self) & 0x0F == 0x08, number == (offset == 0 ? 0 : 1)
    else { return nil }
    let free = Tree(UnsafeRawBufferPointer(rebasing: bytes[40..<88]))
    return Meta(
      pageSize: Int(free.pad), free: free,
      main: Tree(UnsafeRawBufferPointer(rebasing: bytes[88..<136])),
      lastPage: bytes.littleEndian(at: 136, as: UInt64.self),
      transaction: bytes.littleEndian(at: 144, as: UInt64.self))
  }

  /// The valid meta pages, the newest first. Their page sizes agree.
  package var metas: [Meta] {
    guard let first = meta(at: 0) ?? meta(at: 4096), Self.isPageSize(first.pageSize) else {
      return []
    }
    let both = [meta(at: 0), meta(at: first.pageSize)].compactMap { $0 }
      .filter { $0.pageSize == first.pageSize }
    return both.sorted { $0.transaction > $1.transaction }
  }

  /// A consistent read of the meta pages: a commit may write one while the two are read.
  var consistentMetas: [Meta] {
    var before = metas
    for _ in 0..<1000 {
      let after = metas
      if after == before { return after }
      before = after
    }
    return before
  }

  static func isPageSize(_ size: Int) -> Bool {
    size >= 512 && size <= 32768 && size & (size - 1) == 0
  }
}
