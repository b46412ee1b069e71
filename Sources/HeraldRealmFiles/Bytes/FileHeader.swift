/// The first 24 bytes of a file: which state is the newest, and in which format.
///
///     0   top ref A (8)            8  top ref B (8)
///     16  "T-DB" (4)              20  format of A (1), of B (1), 0 (1)
///     23  flags (1): bit 0 selects A (0) or B (1)
///
/// In the streamed form A is selected and all ones; the file ends with the top ref (8) and a cookie (8).
struct FileHeader {
  /// The number of bytes.
  static let length = 24
  /// The formats that can be read.
  static let newestFormat = 24

  /// The ref of the top array; 0 if the file has no tables.
  let topRef: Int
  /// The format: 2…11 or 20…24, or 0 if the file has no tables.
  let format: Int

  private static let mnemonic: UInt32 = 0x4244_2D54
  private static let cookie: UInt64 = 0x3034_1252_37E5_26C8

  /// Whether the bytes begin as an unencrypted file does.
  static func isPlain(_ bytes: FileBytes) -> Bool {
    guard let pointer = try? bytes.pointer(at: 16, count: 4) else { return false }
    return UInt32(littleEndian: pointer.loadUnaligned(as: UInt32.self)) == mnemonic
  }

  /// Reads the header of an unencrypted or decrypted file.
  init(_ bytes: FileBytes, state: RealmFileState) throws(Fault) {
    guard Self.isPlain(bytes) else { throw Fault(.notRealm) }
    let last = try bytes.word(at: 16)
    let newest = Int(last >> 56 & 1)
    let selected =
      switch state {
      case .newest: newest
      case .previous: 1 - newest
      }
    let ref = try bytes.word(at: selected * 8)
    format = Int(last >> UInt64(32 + selected * 8) & 0xFF)
    if ref == UInt64.max {
      guard selected == 0, state == .newest else { throw Fault(.noPreviousState) }
      topRef = try Self.streamedTopRef(bytes)
    } else {
      guard let ref = Int(exactly: ref) else { throw Fault(.outside, at: 0) }
      topRef = ref
    }
    guard topRef > 0 else {
      guard state == .newest else { throw Fault(.noPreviousState) }
      guard format <= Self.newestFormat else { throw Fault(.newerFormat(format)) }
      return
    }
    switch format {
    case 2...11, 20...Self.newestFormat: break
    case (Self.newestFormat + 1)...: throw Fault(.newerFormat(format))
    default: throw Fault(.unknownFormat(format))
    }
  }

  private static func streamedTopRef(_ bytes: FileBytes) throws(Fault) -> Int {
    guard bytes.count >= length + 16, try bytes.word(at: bytes.count - 8) == cookie else {
      throw Fault(.cutOff)
    }
    guard let ref = Int(exactly: try bytes.word(at: bytes.count - 16)) else {
      throw Fault(.outside, at: bytes.count - 16)
    }
    return ref
  }
}

/// Which of the two states that a file has is read.
public enum RealmFileState: Sendable {
  /// The newest committed state.
  case newest
  /// The state before it, which is often whole when the newest is damaged. Its parts may have been
  /// overwritten since.
  case previous
}
