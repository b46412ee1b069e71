internal import Glibc

/// The pages and records of a file that may be damaged anywhere. Nothing that the file says is believed
/// before it was looked at, and LMDB has no part in it.
///
/// A record is known by its place: where its node begins in the file.
final class SalvageFile {
  let pages: PageFile
  let pageSize: Int
  let pageCount: UInt64
  /// What tells of the size of pages to those who read single ones.
  private let geometry: PageFile.Meta
  /// How many bytes of large values may still be looked at: a page that leads to one value a thousand
  /// times must not cost a thousand looks.
  private var patience: Int

  init(_ descriptor: Int32) throws(StorageError) {
    pages = try PageFile(descriptor)
    pageSize = Self.pageSize(of: pages)
    pageCount = UInt64(pages.size / pageSize)
    geometry = PageFile.Meta(pageSize: pageSize, lastPage: pageCount &- 1)
    patience = 16 * pages.size
  }

  /// The meta pages that can be told as such, the newest first.
  var metas: [PageFile.Meta] {
    [0, pageSize].compactMap { pages.meta(at: $0) }.sorted { $0.transaction > $1.transaction }
  }

  /// The page of a tree with a number; nil where it is none.
  func page(_ number: UInt64) -> TreePage? {
    guard number >= 2, number < pageCount else { return nil }
    return TreePage(pages, geometry, number)
  }

  // MARK: Records

  func place(of node: TreePage.Node) -> Int {
    node.key.baseAddress.map { $0 - pages.base - Self.headerSize } ?? 0
  }

  /// The key of a node that was found at a place.
  func key(at place: Int) -> UnsafeRawBufferPointer {
    let header = UnsafeRawBufferPointer(start: pages.base + place, count: Self.headerSize)
    let room = pageSize - place % pageSize - Self.headerSize
    let size = min(Int(header.littleEndian(at: 6, as: UInt16.self)), max(0, room))
    return UnsafeRawBufferPointer(start: pages.base + place + Self.headerSize, count: size)
  }

  /// The whole record of a node that was found at a place, wherever it lies; nil where it lies nowhere.
  func record(at place: Int) -> UnsafeRawBufferPointer? {
    let header = UnsafeRawBufferPointer(start: pages.base + place, count: Self.headerSize)
    let low = Int(header.littleEndian(at: 0, as: UInt16.self))
    let size = low | Int(header.littleEndian(at: 2, as: UInt16.self)) << 16
    let flags = header.littleEndian(at: 4, as: UInt16.self)
    let start = place + Self.headerSize + key(at: place).count
    let end = (place / pageSize + 1) * pageSize
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

  /// The version of a record that is what was written under its key, by a commit up to `newest`; nil
  /// for any other.
  func version(of place: Int, _ space: RecordSpace, upTo newest: Int?) -> UInt32? {
    guard let record = record(at: place), record.count >= RecordTrailer.size else { return nil }
    if record.count > pageSize {
      patience -= record.count
      guard patience > 0 else { return nil }
    }
    guard record.isIntact(space, key(at: place)) else { return nil }
    let trailer = RecordTrailer(endOf: record)
    guard newest.map({ trailer.isWritten(by: $0) }) ?? true else { return nil }
    return trailer.version
  }

  /// A copy of a record's content, which is looked at once more: nil where it is another by now.
  func content(at place: Int, _ space: RecordSpace) -> [UInt8]? {
    guard let record = record(at: place) else { return nil }
    let copy = [UInt8](record)
    let key = [UInt8](key(at: place))
    let isIntact = copy.withUnsafeBytes { copy in key.withUnsafeBytes { copy.isIntact(space, $0) } }
    return isIntact ? Array(copy.dropLast(RecordTrailer.size)) : nil
  }

  private static let headerSize = 8
  private static let pageHeaderSize = 16

  // MARK: The size of pages

  /// What the meta pages say where they agree; else the size by which most pages know their number.
  private static func pageSize(of pages: PageFile) -> Int {
    let told = pages.metas.map(\.pageSize)
    if told.count == 2 { return told[0] }
    let sizes = [4096] + (9...15).map { 1 << $0 }.filter { $0 != 4096 }
    var best = (size: 4096, known: 0)
    for size in sizes {
      let known = knownPages(pages, size)
      if known > best.known { best = (size, known) }
    }
    return best.size
  }

  /// How many of the pages that a file would have of a size begin with their own number; of a large
  /// file, the first pages alone.
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

extension PageFile.Meta {
  /// For pages that no meta page tells of.
  init(pageSize: Int, lastPage: UInt64) {
    let none = [UInt8](repeating: 0, count: PageFile.Tree.size)
    let tree = none.withUnsafeBytes { PageFile.Tree($0) }
    self.init(pageSize: pageSize, free: tree, main: tree, lastPage: lastPage, transaction: 0)
  }
}
