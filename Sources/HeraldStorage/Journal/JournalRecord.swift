/// A commit that is durable before its meta page is: what it changes, as bytes of the file.
///
///     record := "HJR1" length:u32le base:u64le from:u64le to:u64le checksum:u32le body
///
/// `length` is that of the body, `base` the number of the transaction to which the changes apply, `from` and
/// `to` are fingerprints of the state before and after them. The checksum, as of records, covers everything
/// else. A record that does not match, in whatever way, is none: a commit that was not acknowledged, or one
/// that is in the file already.
package struct JournalRecord: Equatable {
  /// The number of the transaction before.
  let base: UInt64
  /// The fingerprint of the state before.
  let from: UInt64
  /// The fingerprint of the state after the changes.
  let to: UInt64
  /// The changes, as `JournalChanges` has them.
  package let body: [UInt8]

  static let magic = [UInt8]("HJR1".utf8)
  static let headerSize = 36
  private static let checksumOffset = 32

  init(base: UInt64, from: UInt64, to: UInt64, body: [UInt8]) {
    self.base = base
    self.from = from
    self.to = to
    self.body = body
  }

  /// The length of `bytes`.
  var size: Int { Self.headerSize + body.count }

  /// A number that identifies the record until the system ends; 0 if this is not known.
  ///
  /// After that the lock file may be older than the store's file, and says nothing.
  var mark: UInt32 {
    let boot = [UInt8](FileFacts.text(of: "/proc/sys/kernel/random/boot_id").utf8)
    guard !boot.isEmpty else { return 0 }
    let content = bytes.withUnsafeBytes { Checksum.of($0, after: 0) }
    return boot.withUnsafeBytes { Checksum.of($0, after: content) } | 1
  }

  /// The base in the header at the beginning of an area of a file, even if the record is incomplete; nil without one.
  static func base(in area: UnsafeRawBufferPointer) -> UInt64? {
    guard area.count >= headerSize, area.prefix(magic.count).elementsEqual(magic) else {
      return nil
    }
    return area.littleEndian(at: 8, as: UInt64.self)
  }

  /// The record at the beginning of an area of a file; nil if there is no complete one.
  init?(in area: UnsafeRawBufferPointer) {
    guard let base = Self.base(in: area) else { return nil }
    let length = Int(area.littleEndian(at: 4, as: UInt32.self))
    guard length <= area.count - Self.headerSize else { return nil }
    let body = UnsafeRawBufferPointer(
      rebasing: area[Self.headerSize..<Self.headerSize + length])
    let header = UnsafeRawBufferPointer(rebasing: area[..<Self.checksumOffset])
    guard
      area.littleEndian(at: Self.checksumOffset, as: UInt32.self)
        == Self.checksum(header, body)
    else { return nil }
    self.base = base
    from = area.littleEndian(at: 16, as: UInt64.self)
    to = area.littleEndian(at: 24, as: UInt64.self)
    self.body = [UInt8](body)
  }

  private static func checksum(
    _ header: UnsafeRawBufferPointer, _ body: UnsafeRawBufferPointer
  ) -> UInt32 {
    Checksum.of(body, after: Checksum.of(header, after: UInt32(truncatingIfNeeded: body.count)))
  }

  var bytes: [UInt8] {
    var writer = PackedWriter()
    writer.raw(Self.magic)
    writer.fixed(UInt32(body.count))
    writer.fixed(base)
    writer.fixed(from)
    writer.fixed(to)
    let sum = writer.bytes.withUnsafeBytes { header in
      body.withUnsafeBytes { Self.checksum(header, $0) }
    }
    writer.fixed(sum)
    writer.raw(body)
    return writer.bytes
  }
}

extension StoreState {
  /// A number that differs, as good as surely, between any two states of a store.
  var fingerprint: UInt64 {
    withContent { content in
      var folded = UInt64(content.count)
      var offset = 0
      while offset < content.count {
        let mixed =
          (folded ^ content.littleEndian(at: offset, as: UInt64.self)) &* 0x9E37_79B9_7F4A_7C15
        folded = mixed ^ mixed >> 29
        offset += 8
      }
      return folded
    }
  }
}
