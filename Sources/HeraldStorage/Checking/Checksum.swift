internal import CLMDB

/// The checksum of a record, in hardware where the processor can: CRC-32C, described in `checksum.h`.
enum Checksum {
  private static let isInHardware = herald_has_crc() != 0

  /// The checksum of some bytes that follow others, whose checksum is `seed`. 50 ns for 2 KiB.
  static func of(_ bytes: UnsafeRawBufferPointer, after seed: UInt32) -> UInt32 {
    guard let base = bytes.baseAddress else { return seed }
    let start = base.assumingMemoryBound(to: UInt8.self)
    return isInHardware
      ? herald_checksum_hard(seed, start, bytes.count)
      : herald_checksum_soft(seed, start, bytes.count)
  }

  /// The checksum by the instructions that every processor has: for tests.
  static func inSoftware(_ bytes: UnsafeRawBufferPointer, after seed: UInt32) -> UInt32 {
    guard let base = bytes.baseAddress else { return seed }
    return herald_checksum_soft(seed, base.assumingMemoryBound(to: UInt8.self), bytes.count)
  }
}

/// Which of the store's named databases a record is in: part of what its checksum covers.
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

  /// The size of the entries of a database that has many under one key, nil for one of records.
  var entrySize: Int? {
    switch self {
    case .index: 8
    case .links: 12
    case .meta, .columns, .lists, .log: nil
    }
  }
}

/// What follows the content of every record.
///
///     record  := content trailer                                  in meta, columns, lists and log
///     trailer := checksum:u32le version:u32le
///
/// The checksum covers the database, the key, the content and the version, in this order: a record
/// that turns up under another key is found. The version, of which these are the low bits, is the one
/// that the commit made which wrote the record: a record of a later version than the one that is read
/// came from another copy of the file. The format entry, which other versions of the program must be
/// able to read, has no trailer.
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

  /// The trailer that ends a record of at least so many bytes.
  @inline(__always)
  init(endOf record: UnsafeRawBufferPointer) {
    checksum = record.littleEndian(at: record.count - 8, as: UInt32.self)
    version = record.littleEndian(at: record.count - 4, as: UInt32.self)
  }

  func store(at target: UnsafeMutableRawPointer) {
    target.storeBytes(of: checksum.littleEndian, as: UInt32.self)
    target.storeBytes(of: version.littleEndian, toByteOffset: 4, as: UInt32.self)
  }

  /// Whether a record that ends so was written by the commit of `newest` or an earlier one.
  @inline(__always)
  func isWritten(by newest: Int) -> Bool {
    Int32(bitPattern: UInt32(truncatingIfNeeded: newest) &- version) >= 0
  }

  /// What the record adds to the store's digest.
  var digest: UInt64 { StoreDigest.share(of: checksum) }
}

/// A sum for each database that every record and entry of it has its share in: each commit brings it up to
/// date, so that a recount tells whether any is missing, or back again.
struct StoreDigest: Equatable {
  static let size = RecordSpace.allCases.count * 8

  private var sums = SIMD8<UInt64>.zero

  init() {}

  init(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    for place in 0..<RecordSpace.allCases.count {
      sums[place] = bytes.littleEndian(at: offset + place * 8, as: UInt64.self)
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

  /// The share of an entry of an index, or of a reverse link.
  static func share(
    _ space: RecordSpace, _ key: UnsafeRawBufferPointer, _ entry: UnsafeRawBufferPointer
  ) -> UInt64 {
    let seed = Checksum.of(key, after: space.rawValue &* 0x9E37_79B9)
    return share(of: Checksum.of(entry, after: seed))
  }
}
