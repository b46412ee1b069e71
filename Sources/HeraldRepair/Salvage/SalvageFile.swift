import Glibc
import HeraldStorage

/// The pages and records of a file that may be damaged anywhere. Everything that the file contains
/// is checked before it is used, without LMDB.
///
/// A record is identified by the offset of its node in the file.
final class SalvageFile {
  let pages: PageFile
  let pageSize: Int
  let pageCount: UInt64
  /// The bytes of large values that may still be verified: a page that refers to one value a
  /// thousand times must not cost a thousand verifications.
  private var largeValueBudget: Int

  init(_ descriptor: Int32) throws(StorageError) {
    pages = try PageFile(descriptor)
    pageSize = Self.pageSize(of: pages)
    pageCount = UInt64(pages.size / pageSize)
    largeValueBudget = 16 * pages.size
  }

  /// The recognizable meta pages, the newest first.
  var metas: [PageFile.Meta] {
    [0, pageSize].compactMap { pages.meta(at: $0) }.sorted { $0.transaction > $1.transaction }
  }

  /// Returns the tree page with a number; nil if it is not one.
  func page(_ number: UInt64) -> TreePage? {
    guard number >= 2, number < pageCount else { return nil }
    return TreePage(pages, pageSize: pageSize, number)
  }

  // MARK: Records

  func offset(of node: TreePage.Node) -> Int {
    node.key.baseAddress.map { $0 - pages.base - Self.headerSize } ?? 0
  }

  /// Returns the key of the node at an offset.
  func key(at offset: Int) -> UnsafeRawBufferPointer {
    let header = UnsafeRawBufferPointer(start: pages.base + offset, count: Self.headerSize)
    let room = pageSize - offset % pageSize - Self.headerSize
    let size = min(Int(header.littleEndian(at: 6, as: UInt16.self)), max(0, room))
    return UnsafeRawBufferPointer(start: pages.base + offset + Self.headerSize, count: size)
  }

  /// Returns the whole record of the node at an offset, on its page or others; nil if there is none.
  func record(at offset: Int) -> UnsafeRawBufferPointer? {
    let header = UnsafeRawBufferPointer(start: pages.base + offset, count: Self.headerSize)
    let low = Int(header.littleEndian(at: 0, as: UInt16.self))
    let size = low | Int(header.littleEndian(at: 2, as: UInt16.self)) << 16
    let flags = header.littleEndian(at: 4, as: UInt16.self)
    let start = offset + Self.headerSize + key(at: offset).count
    let end = (offset / pageSize + 1) * pageSize
    if flags == 0 {
      guard start + size <= end else { return nil }
      return UnsafeRawBufferPointer(start: pages.base + start, count: size)
    }
    guard flags == TreePage.overflow, start + 8 <= end else { return nil }
    let number = UnsafeRawBufferPointer(start: pages.base + start, count: 8)
    return largeValue(number.littleEndian(at: 0, as: UInt64.self), size)
  }

  private func largeValue(_ first: UInt64, _ size: Int) -> UnsafeRawBufferPointer? {
    guard first >= 2, first < pageCount else { return nil }
    let offset = Int(first) * pageSize
    let header = UnsafeRawBufferPointer(start: pages.base + offset, count: Self.pageHeaderSize)
    guard size <= pages.size - offset - Self.pageHeaderSize,
      header.littleEndian(at: 0, as: UInt64.self) == first
    else { return nil }
    return UnsafeRawBufferPointer(
      start: pages.base + offset + Self.pageHeaderSize, count: size)
  }

  /// Returns the version of a record that is intact and was written by a commit up to `newest`; nil
  /// for any other.
  func version(of offset: Int, _ space: RecordSpace, upTo newest: Int?) -> UInt32? {
    guard let record = record(at: offset), record.count >= RecordTrailer.size else { return nil }
    if record.count > pageSize {
      largeValueBudget -= record.count
      guard largeValueBudget > 0 else { return nil }
    }
    guard record.isIntact(space, key(at: offset)) else { return nil }
    let trailer = RecordTrailer(endOf: record)
    guard newest.map({ trailer.isWritten(by: $0) }) ?? true else { return nil }
    return trailer.version
  }

  /// Returns a copy of a record's content, verified again: nil if it has changed in the meantime.
  func content(at offset: Int, _ space: RecordSpace) -> [UInt8]? {
    guard let record = record(at: offset) else { return nil }
    let copy = [UInt8](record)
    let key = [UInt8](key(at: offset))
    let isIntact = copy.withUnsafeBytes { copy in key.withUnsafeBytes { copy.isIntact(space, $0) } }
    return isIntact ? Array(copy.dropLast(RecordTrailer.size)) : nil
  }

  private static let headerSize = 8
  private static let pageHeaderSize = 16

  // MARK: Page size

  /// The page size in the meta pages if both exist; otherwise the size at which most pages start
  /// with their number.
  private static func pageSize(of pages: PageFile) -> Int {
    let recorded = pages.metas.map(\.pageSize)
    if recorded.count == 2 { return recorded[0] }
    let sizes = [4096] + (9...15).map { 1 << $0 }.filter { $0 != 4096 }
    var best = (size: 4096, known: 0)
    for size in sizes {
      let known = knownPages(pages, size)
      if known > best.known { best = (size, known) }
    }
    return best.size
  }

  /// Returns how many of the pages, at a given size, begin with their own number; of a large file,
  /// only the first pages are counted.
  private static func knownPages(_ pages: PageFile, _ size: Int) -> Int {
    (2..<max(2, min(pages.size / size, 1 << 16))).reduce(0) { known, number in
      let header = UnsafeRawBufferPointer(start: pages.base + number * size, count: 16)
      let isKnown =
        header.littleEndian(at: 0, as: UInt64.self) == UInt64(number)
        && header.littleEndian(at: 10, as: UInt16.self) & ~0x36 == 0
      return known + (isKnown ? 1 : 0)
    }
  }
}
