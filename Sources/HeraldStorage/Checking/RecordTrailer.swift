/// The checksum and version after the content of every record.
///
///     record  := content trailer                                  in meta, columns, lists and log
///     trailer := checksum:u32le version:u32le
///
/// The checksum covers the database, the key, the content and the version, in this order: a record
/// under the wrong key is detected. The version, of which these are the low bits, is that of the
/// commit that wrote the record: a record with a later version than the one that is read came from
/// another copy of the file. The format record, which other versions of the program must be able to
/// read, has no trailer.
package struct RecordTrailer {
  package static let size = 8

  package let checksum: UInt32
  package let version: UInt32

  package init(
    _ space: RecordSpace, _ key: UnsafeRawBufferPointer, _ content: UnsafeRawBufferPointer,
    version: UInt32
  ) {
    let seed = Checksum.of(key, after: space.rawValue &* 0x9E37_79B9 ^ version)
    checksum = Checksum.of(content, after: seed)
    self.version = version
  }

  /// The trailer of a record, which must be at least as long as one.
  @inline(__always)
  package init(endOf record: UnsafeRawBufferPointer) {
    checksum = record.littleEndian(at: record.count - 8, as: UInt32.self)
    version = record.littleEndian(at: record.count - 4, as: UInt32.self)
  }

  package func store(at target: UnsafeMutableRawPointer) {
    target.storeBytes(of: checksum.littleEndian, as: UInt32.self)
    target.storeBytes(of: version.littleEndian, toByteOffset: 4, as: UInt32.self)
  }

  /// Returns whether the record was written by the commit of `newest` or an earlier one.
  @inline(__always)
  package func isWritten(by newest: Int) -> Bool {
    Int32(bitPattern: UInt32(truncatingIfNeeded: newest) &- version) >= 0
  }

  /// The record's share of the store's digest.
  package var digest: UInt64 { StoreDigest.share(of: checksum) }
}
