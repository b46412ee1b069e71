/// One page of an LMDB 0.9 tree, or one nested in a value, with every bound checked.
///
///     page    := number:u64 pad:u16 flags:u16 lower:u16 upper:u16 offsets content
///     flags   := 1 branch | 2 leaf | 0x10 dirty | 0x20 fixed | 0x40 nested in a value
///     offsets := a u16 for each node: its start. Fixed pages have entries of `pad` bytes instead.
///     node    := low:u16 high:u16 flags:u16 key size:u16 key value
///
/// In a branch, low, high and flags are the number of the child page. In a leaf, low and high are
/// the size of the value; with flag 1 the value is on pages of its own, and the node holds the
/// first page's number. Flag 2 marks a tree, flag 4 several values under one key.
package struct TreePage {
  package static let overflow: UInt16 = 1
  package static let subtree: UInt16 = 2
  static let duplicates: UInt16 = 4
  private static let headerSize = 16
  private static let nodeHeaderSize = 8

  private let bytes: UnsafeRawBufferPointer
  package let isBranch: Bool
  package let isFixed: Bool
  /// The number of nodes, or of entries.
  package let count: Int
  /// The size of an entry of a fixed page.
  let fixedSize: Int

  package var isLeaf: Bool { !isBranch }

  /// Returns the page with a number; nil if its header is invalid.
  package init?(_ file: PageFile, pageSize: Int, _ number: UInt64) {
    let bytes = UnsafeRawBufferPointer(
      start: file.base + Int(number) * pageSize, count: pageSize)
    guard bytes.littleEndian(at: 0, as: UInt64.self) == number else { return nil }
    self.init(bytes, within: false)
  }

  /// Returns the page that is nested in a value.
  init?(within value: UnsafeRawBufferPointer) { self.init(value, within: true) }

  private init?(_ bytes: UnsafeRawBufferPointer, within isWithin: Bool) {
    guard bytes.count >= Self.headerSize else { return nil }
    let flags = bytes.littleEndian(at: 10, as: UInt16.self)
    // LMDB leaves the dirty flag on nested pages.
    let kind = isWithin ? flags & ~0x10 ^ 0x40 : flags
    guard kind == 1 || kind == 2 || kind == 0x22 else { return nil }
    self.bytes = bytes
    isBranch = kind == 1
    isFixed = kind == 0x22
    fixedSize = Int(bytes.littleEndian(at: 8, as: UInt16.self))
    let lower = Int(bytes.littleEndian(at: 12, as: UInt16.self))
    let upper = Int(bytes.littleEndian(at: 14, as: UInt16.self))
    guard lower >= Self.headerSize, lower & 1 == 0, lower <= upper, upper <= bytes.count else {
      return nil
    }
    count = (lower - Self.headerSize) / 2
    guard !isFixed || fixedSize > 0 && Self.headerSize + count * fixedSize <= bytes.count else {
      return nil
    }
  }

  package struct Node {
    package let key: UnsafeRawBufferPointer
    /// The value, or the number of its first page or its tree.
    package let inline: UnsafeRawBufferPointer
    package let flags: UInt16
    /// The size of the value, on this page or others.
    let size: Int
    /// The child page of a branch node.
    package let child: UInt64
  }

  /// Returns a node of a page that is not fixed; nil if it reaches beyond its page.
  package func node(_ index: Int) -> Node? {
    let start = Int(bytes.littleEndian(at: Self.headerSize + index * 2, as: UInt16.self))
    guard start >= Self.headerSize + count * 2, start + Self.nodeHeaderSize <= bytes.count else {
      return nil
    }
    let low = UInt64(bytes.littleEndian(at: start, as: UInt16.self))
    let high = UInt64(bytes.littleEndian(at: start + 2, as: UInt16.self))
    let flags = bytes.littleEndian(at: start + 4, as: UInt16.self)
    let keySize = Int(bytes.littleEndian(at: start + 6, as: UInt16.self))
    let keyStart = start + Self.nodeHeaderSize
    guard keySize <= IndexKey.longest, keyStart + keySize <= bytes.count else { return nil }
    let key = UnsafeRawBufferPointer(rebasing: bytes[keyStart..<keyStart + keySize])
    let size = Int(low | high << 16)
    if isBranch {
      return Node(
        key: key, inline: key, flags: 0, size: 0, child: low | high << 16 | UInt64(flags) << 32)
    }
    let inlineSize = flags & Self.overflow != 0 ? 8 : size
    let valueStart = keyStart + keySize
    guard keySize > 0, valueStart + inlineSize <= bytes.count else { return nil }
    return Node(
      key: key,
      inline: UnsafeRawBufferPointer(rebasing: bytes[valueStart..<valueStart + inlineSize]),
      flags: flags, size: size, child: 0)
  }

  /// Whether the nodes of a page that is not fixed fill all of it after its free space, as LMDB
  /// writes them: then none is missing or duplicated.
  package var isWhole: Bool {
    let upper = Int(bytes.littleEndian(at: 14, as: UInt16.self))
    guard !isFixed, count > 0 else { return false }
    var filled = 0
    for index in 0..<count {
      guard let node = node(index) else { return false }
      let size = Self.nodeHeaderSize + node.key.count + (isBranch ? 0 : node.inline.count)
      filled += size + size & 1
    }
    return filled == bytes.count - upper
  }

  /// Returns an entry of a fixed page.
  func fixedEntry(_ index: Int) -> UnsafeRawBufferPointer? {
    let start = Self.headerSize + index * fixedSize
    guard start + fixedSize <= bytes.count else { return nil }
    return UnsafeRawBufferPointer(rebasing: bytes[start..<start + fixedSize])
  }
}
