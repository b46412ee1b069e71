import HeraldStorage

/// What the stream of snapshots says about one, after its chunks.
///
///     manifest := version:u8 (1 | 2 refill) identity:16 bytes first:u64 chunks:u32 size:u64 checksum:u32 store version:u64
///                 sequence:u64 stream (UTF-8)
///     chunk    := identity:16 bytes index:u32 bytes
///
/// Numbers are little-endian. `first` is the number of the message from which on the chunks are, `sequence` that of
/// the last commit in the snapshot, `stream` the identity of the stream of commits, and the checksum is the CRC-32C of
/// the file. A refill is a snapshot of commits that the stream had lost; it counts once message `sequence` says so.
struct SnapshotManifest: Equatable {
  static let chunkSize = 512 << 10
  /// How the identity of the message ends.
  static let mark = "-manifest"
  /// The name of the message, in the stream of commits, that says that a refill counts.
  static let refillPart = "refill"
  private static let formatVersion: UInt8 = 1
  private static let refillVersion: UInt8 = 2

  var identity: [UInt8]
  var first: UInt64
  var chunks: UInt32
  var size: UInt64
  var checksum: UInt32
  var version: UInt64
  var sequence: UInt64
  var stream: String
  var isRefill = false

  var encoded: [UInt8] {
    var bytes = [isRefill ? Self.refillVersion : Self.formatVersion] + identity
    func append(_ number: some FixedWidthInteger) {
      withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }
    append(first)
    append(chunks)
    append(size)
    append(checksum)
    append(version)
    append(sequence)
    return bytes + stream.utf8
  }

  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 57, [Self.formatVersion, Self.refillVersion].contains(bytes[0]) else {
      return nil
    }
    isRefill = bytes[0] == Self.refillVersion
    var position = 17
    func number<Number: FixedWidthInteger>(_ type: Number.Type) -> Number {
      defer { position += Number.bitWidth / 8 }
      return bytes.withUnsafeBytes {
        Number(littleEndian: $0.loadUnaligned(fromByteOffset: position, as: type))
      }
    }
    identity = Array(bytes[1..<17])
    first = number(UInt64.self)
    chunks = number(UInt32.self)
    size = number(UInt64.self)
    checksum = number(UInt32.self)
    version = number(UInt64.self)
    sequence = number(UInt64.self)
    stream = String(decoding: bytes[position...], as: UTF8.self)
  }

  init(identity: [UInt8], stream: String) {
    self.identity = identity
    self.stream = stream
    (first, chunks, size, checksum, version, sequence) = (0, 0, 0, 0, 0, 0)
  }

  /// The identity of the message for a part of the snapshot.
  func name(of part: String) -> String {
    identity.map { String($0, radix: 36) }.joined() + "-" + part
  }

  static func newIdentity() -> [UInt8] {
    var random = SystemRandomNumberGenerator()
    return (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  static func checksum(of bytes: some Collection<UInt8>, after checksum: UInt32) -> UInt32 {
    Array(bytes).withUnsafeBytes { Checksum.of($0, after: checksum) }
  }
}
