internal import Glibc

/// The two meta pages with which a file begins, and their repair after a failed commit.
enum MetaPages {
  /// Restores both meta pages to the commit before a transaction that failed, and syncs them to disk.
  ///
  /// If writing its meta page fails, LMDB writes the number of an old transaction back into it and
  /// leaves the trees of the failed one: a page that matches no commit. The caller holds the writer
  /// lock. An error here is ignored: the next opening detects the page again.
  static func restore(_ descriptor: Int32, failed transaction: UInt64) {
    guard let file = try? PageFile(descriptor), let pageSize = file.metas.first?.pageSize
    else { return }
    let slot = Int(transaction & 1)
    // If the commit failed before it wrote the meta page, the page is still valid.
    if let found = file.meta(at: slot * pageSize), found.transaction != transaction,
      PageSearch(file, found).state?.transaction == found.transaction
    {
      return
    }
    var meta = [UInt8](repeating: 0, count: metaSize)
    guard pread(descriptor, &meta, metaSize, off_t((1 - slot) * pageSize)) == metaSize,
      meta.withUnsafeBytes({ $0.littleEndian(at: 144, as: UInt64.self) }) &+ 1 == transaction
    else { return }
    // A page begins with its own number.
    meta[0] = UInt8(slot)
    guard pwrite(descriptor, meta, metaSize, off_t(slot * pageSize)) == metaSize else { return }
    fdatasync(descriptor)
  }

  /// The size of a page's header and the LMDB fields after it.
  private static let metaSize = 152
}
