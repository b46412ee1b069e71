internal import CLMDB

/// The checksum of a record, in hardware if the processor supports it: CRC-32C, see `checksum.h`.
enum Checksum {
  private static let isInHardware = herald_has_crc() != 0

  /// Returns the checksum of bytes that follow others with the checksum `seed`. 50 ns for 2 KiB.
  static func of(_ bytes: UnsafeRawBufferPointer, after seed: UInt32) -> UInt32 {
    guard let base = bytes.baseAddress else { return seed }
    let start = base.assumingMemoryBound(to: UInt8.self)
    return isInHardware
      ? herald_checksum_hard(seed, start, bytes.count)
      : herald_checksum_soft(seed, start, bytes.count)
  }

  /// Computes the checksum with instructions that every processor has: for tests.
  static func inSoftware(_ bytes: UnsafeRawBufferPointer, after seed: UInt32) -> UInt32 {
    guard let base = bytes.baseAddress else { return seed }
    return herald_checksum_soft(seed, base.assumingMemoryBound(to: UInt8.self), bytes.count)
  }
}

/// The named database of a record: part of what its checksum covers.
enum RecordSpace: UInt32, CaseIterable {
  case meta = 1
  case columns, lists, links, index, log

  /// The name of the database.
  var name: String {
    switch self {
    case .meta: "meta"
    case .columns: "columns"
    case .lists: "lists"
    case .links: "links"
    case .index: "index"
    case .log: "log"
    }
  }

  init?(name: String) {
    guard let space = RecordSpace.allCases.first(where: { $0.name == name }) else { return nil }
    self = space
  }

  /// The size of the entries in a database with many per key, nil for one of records.
  var entrySize: Int? {
    switch self {
    case .index: 8
    case .links: 12
    case .meta, .columns, .lists, .log: nil
    }
  }
}

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
struct RecordTrailer {
  static let size = 8

  let checksum: UInt32
  let version: UInt32

  init(
    _ space: RecordSpace, _ key: UnsafeRawBufferPointer, _ content: UnsafeRawBufferPointer,
    version: UInt32
  ) {
    let seed = Checksum.of(key, after: space.rawValue &* 0x9E37_79B9 ^ version)
    checksum = Checksum.of(content, after: seed)
    self.version = version
  }

  /// The trailer of a record, which must be at least as long as one.
  @inline(__always)
  init(endOf record: UnsafeRawBufferPointer) {
    checksum = record.littleEndian(at: record.count - 8, as: UInt32.self)
    version = record.littleEndian(at: record.count - 4, as: UInt32.self)
  }

  func store(at target: UnsafeMutableRawPointer) {
    target.storeBytes(of: checksum.littleEndian, as: UInt32.self)
    target.storeBytes(of: version.littleEndian, toByteOffset: 4, as: UInt32.self)
  }

  /// Returns whether the record was written by the commit of `newest` or an earlier one.
  @inline(__always)
  func isWritten(by newest: Int) -> Bool {
    Int32(bitPattern: UInt32(truncatingIfNeeded: newest) &- version) >= 0
  }

  /// The record's share of the store's digest.
  var digest: UInt64 { StoreDigest.share(of: checksum) }
}

/// A sum per database over all of its records and entries. Each commit updates it, so that a
/// recount detects missing and reappearing ones.
struct StoreDigest: Equatable {
  static let size = RecordSpace.allCases.count * 8

  private var sums = SIMD8<UInt64>.zero

  init() {}

  init(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    for index in 0..<RecordSpace.allCases.count {
      sums[index] = bytes.littleEndian(at: offset + index * 8, as: UInt64.self)
    }
  }

  @inline(__always)
  subscript(space: RecordSpace) -> UInt64 {
    get { sums[Int(space.rawValue) - 1] }
    set { sums[Int(space.rawValue) - 1] = newValue }
  }

  static func &+= (digest: inout StoreDigest, other: StoreDigest) { digest.sums &+= other.sums }

  /// The sums as they are stored, little-endian.
  var bytes: [UInt8] {
    RecordSpace.allCases.flatMap { space in
      withUnsafeBytes(of: self[space].littleEndian) { [UInt8]($0) }
    }
  }

  @inline(__always)
  static func share(of checksum: UInt32) -> UInt64 {
    (UInt64(checksum) | 1 << 32) &* 0x9E37_79B9_7F4A_7C15
  }

  /// The share of an index entry, or of a reverse link.
  static func share(
    _ space: RecordSpace, _ key: UnsafeRawBufferPointer, _ entry: UnsafeRawBufferPointer
  ) -> UInt64 {
    let seed = Checksum.of(key, after: space.rawValue &* 0x9E37_79B9)
    return share(of: Checksum.of(entry, after: seed))
  }
}
