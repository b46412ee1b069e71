internal import Glibc

/// The two pages with which a file begins, and what a failed commit does to them.
enum MetaPages {
  /// Makes both meta pages those of the commit before a transaction that failed, and waits for the disk.
  ///
  /// Where writing its meta page fails, LMDB writes the number of an old transaction back into it and leaves
  /// the trees of the failed one: a page that agrees with no commit. To be called with the writers' lock
  /// held. What fails here fails again at the next opening, which tells.
  static func restore(_ descriptor: Int32, failed transaction: UInt64) {
    guard let file = try? PageFile(descriptor), let pageSize = file.metas.first?.pageSize
    else { return }
    let slot = Int(transaction & 1)
    // A failure before the meta page was written has left it as it was.
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

  /// The header of a page, and what LMDB says behind it.
  private static let metaSize = 152
}
