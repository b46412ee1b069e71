/// Where the pages of an encrypted file are.
///
/// The file consists of pages of 4096 bytes: one of records, then the 64 pages of data that its
/// records are for, and so on. A record:
///
///     0   initial vector 1 (4)    4   authentication code 1 (28)
///     32  initial vector 2 (4)    36  authentication code 2 (28)
struct EncryptionLayout {
  /// The number of bytes of a page.
  static let pageLength = 4096
  /// The number of bytes of a record.
  static let recordLength = 64
  /// The number of data pages whose records are on one page.
  static let group = pageLength / recordLength

  /// The number of data pages in a file of this many bytes.
  static func pageCount(ofFile length: Int) -> Int {
    let pages = length / pageLength
    return pages - (pages + group) / (group + 1)
  }

  /// The first byte in the file of a data page.
  static func offset(ofPage page: Int) -> Int { (page + page / group + 1) * pageLength }

  /// The first byte in the file of the record of a data page.
  static func offset(ofRecord page: Int) -> Int {
    page / group * (group + 1) * pageLength + page % group * recordLength
  }

  /// The number of different bytes that a page has at least if it is encrypted. By chance, all but
  /// one of 10^20 pages have more.
  private static let differentBytes = 240

  /// Whether a file that does not begin as a plain one has the form of an encrypted one: whole pages,
  /// a record for the first of data, and all kinds of bytes on that page.
  static func isProbable(_ file: FileBytes) -> Bool {
    let count = pageCount(ofFile: file.count)
    guard file.count.isMultiple(of: pageLength), count > 0,
      let record = try? file.pointer(at: offset(ofRecord: 0), count: recordLength),
      let page = try? file.pointer(at: offset(ofPage: 0), count: pageLength)
    else { return false }
    guard record.loadUnaligned(as: UInt32.self) != 0 else { return false }
    return Set(UnsafeRawBufferPointer(start: page, count: pageLength)).count >= differentBytes
  }
}
