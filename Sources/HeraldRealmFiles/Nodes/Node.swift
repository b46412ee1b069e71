/// One node of a file: a header of 8 bytes, which was checked, and its elements.
///
///     0  "AAAA" (4), in old files four bytes of 1
///     4  bit 7 inner, bit 6 refs, bit 5 context, bits 4–3 form of the width, bits 2–0 width
///     5  number of elements (3, big-endian)
///     8  the elements, padded to a multiple of 8 bytes
///
/// All elements are in the file; they are read in place.
struct Node {
  /// The first element.
  let payload: UnsafeRawPointer
  /// The offset of the node in the file.
  let ref: Int
  private let shortCount: UInt32
  /// The bits of an element if `form` is `bits`, its bytes if `multiply`, else 1: 0, 1, 2, 4 … 64.
  let width: UInt8
  private let flags: UInt8

  /// How the number of bytes follows from the number of elements and the width.
  enum Form: UInt8 {
    /// ⌈elements × width / 8⌉ bytes.
    case bits
    /// elements × width bytes.
    case multiply
    /// One byte an element.
    case bytes
  }

  /// The number of elements, at most 0xFFFFFF.
  var count: Int { Int(shortCount) }
  /// Whether it is an inner node of a B+ tree.
  var isInner: Bool { flags & 0x80 != 0 }
  /// Whether the elements may be refs.
  var hasRefs: Bool { flags & 0x40 != 0 }
  /// A mark whose meaning depends on the kind of node.
  var hasContext: Bool { flags & 0x20 != 0 }
  /// How the size follows from the width.
  var form: Form { Form(rawValue: flags >> 3 & 3) ?? .bytes }
  /// The number of bytes that the elements take, without padding.
  var payloadLength: Int { Self.length(form, count: count, width: Int(width)) }

  /// The number of bytes of the header.
  static let headerLength = 8
  /// What each node begins with.
  private static let mark: UInt64 = 0x4141_4141
  /// What each node of old files (seen in format 2) begins with.
  private static let oldMark: UInt64 = 0x0101_0101

  /// Reads the header of the node at `ref`. Throws if it is none, or not wholly in the file.
  @inline(__always)
  init(_ bytes: FileBytes, at ref: Int) throws(Fault) {
    guard ref & 7 == 0 else { throw Fault(.unaligned, at: ref) }
    guard ref > 0 else { throw Fault(.outside, at: ref) }
    let word = try bytes.word(at: ref)
    let mark = word & 0xFFFF_FFFF
    guard mark == Self.mark || mark == Self.oldMark else { throw Fault(.noNode, at: ref) }
    flags = UInt8(truncatingIfNeeded: word >> 32)
    shortCount = UInt32(truncatingIfNeeded: (word >> 40).byteSwapped >> 40)
    width = (1 << (flags & 7)) >> 1
    guard let form = Form(rawValue: flags >> 3 & 3) else {
      throw Fault(.unknownNodeKind(Int(flags)), at: ref)
    }
    self.ref = ref
    // At most 2^24 elements of 64 bytes.
    payload = try bytes.pointer(
      at: ref + Self.headerLength,
      count: Self.length(form, count: Int(shortCount), width: Int(width)))
  }

  private static func length(_ form: Form, count: Int, width: Int) -> Int {
    switch form {
    case .bits: (count * width + 7) / 8
    case .multiply: count * width
    case .bytes: count
    }
  }
}
