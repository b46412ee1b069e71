extension FileProbe {
  /// One of the two meta pages with which an LMDB file begins.
  struct Meta {
    let pageSize: Int
    let mainRoot: UInt64
    let lastPage: Int
    let transaction: UInt64

    /// The fields of `MDB_meta`, which follows the header of 16 bytes of its page.
    init?(_ page: [UInt8]) {
      let found = page.withUnsafeBytes { bytes -> Meta? in
        guard bytes.count >= Meta.end, bytes.littleEndian(at: 16, as: UInt32.self) == Meta.magic
        else { return nil }
        return Meta(
          pageSize: Int(bytes.littleEndian(at: 40, as: UInt32.self)),
          mainRoot: bytes.littleEndian(at: 128, as: UInt64.self),
          lastPage: Int(truncatingIfNeeded: bytes.littleEndian(at: 136, as: UInt64.self)),
          transaction: bytes.littleEndian(at: 144, as: UInt64.self))
      }
      guard let found else { return nil }
      self = found
    }

    private init(pageSize: Int, mainRoot: UInt64, lastPage: Int, transaction: UInt64) {
      self.pageSize = pageSize
      self.mainRoot = mainRoot
      self.lastPage = lastPage
      self.transaction = transaction
    }

    static let magic: UInt32 = 0xBEEF_C0DE
    static let end = 152
  }

  /// One B+ tree of an LMDB file, read page by page with every bound checked.
  struct PageTree {
    private let probe: FileProbe
    private let meta: Meta
    private let root: UInt64

    private static let headerSize = 16
    private static let nodeHeaderSize = 8
    private static let branch: UInt16 = 1
    private static let leaf: UInt16 = 2

    /// The kind of a key's value, by its node's flags.
    enum Content: UInt16 {
      case plain = 0
      case database = 2
    }

    init(_ probe: FileProbe, _ meta: Meta, root: UInt64) {
      self.probe = probe
      self.meta = meta
      self.root = root
    }

    /// Throws unless the root is a page of a tree.
    func checkRoot() throws(StorageError) {
      let page = try page(root)
      guard page.flags == Self.branch || page.flags == Self.leaf else { throw damaged(root) }
      _ = try nodes(of: page)
    }

    /// Returns the value of a key, nil if the tree has no such key.
    func value(of key: String, _ content: Content) throws(StorageError) -> [UInt8]? {
      let key = [UInt8](key.utf8)
      var number = root
      // An LMDB tree is at most 32 pages deep, so a cycle ends here too.
      for _ in 0..<32 {
        let page = try page(number)
        let nodes = try nodes(of: page)
        switch page.flags {
        case Self.branch:
          // The first node of a branch covers every key below the second's.
          let next = nodes.dropFirst().last { !key.lexicographicallyPrecedes($0.key) }
          guard let child = next ?? nodes.first else { throw damaged(number) }
          number = child.pageNumber
        case Self.leaf:
          guard let node = nodes.first(where: { $0.key == key }) else { return nil }
          let end = node.contentStart + Int(node.low)
          // No entry that is read here is ever large enough for an overflow page.
          guard node.flags == content.rawValue, end <= page.bytes.count else {
            throw damaged(number)
          }
          return [UInt8](page.bytes[node.contentStart..<end])
        default: throw damaged(number)
        }
      }
      throw damaged(root)
    }

    private struct Page {
      let bytes: [UInt8]
      let flags: UInt16
      let lower: Int
    }

    private struct Node {
      let key: [UInt8]
      let low: UInt32
      let flags: UInt16
      let contentStart: Int

      /// The page of a branch node's child: 48 bits, the highest in the field of the flags.
      var pageNumber: UInt64 { UInt64(low) | UInt64(flags) << 32 }
    }

    private func page(_ number: UInt64) throws(StorageError) -> Page {
      guard number >= 2, number <= UInt64(meta.lastPage) else { throw damaged(number) }
      let bytes = probe.bytes(at: Int(number) * meta.pageSize, count: meta.pageSize)
      guard bytes.count == meta.pageSize,
        bytes.withUnsafeBytes({ $0.littleEndian(at: 0, as: UInt64.self) }) == number
      else { throw damaged(number) }
      return bytes.withUnsafeBytes {
        Page(
          bytes: bytes, flags: $0.littleEndian(at: 10, as: UInt16.self),
          lower: Int($0.littleEndian(at: 12, as: UInt16.self)))
      }
    }

    private func nodes(of page: Page) throws(StorageError) -> [Node] {
      guard page.lower >= Self.headerSize, page.lower <= meta.pageSize else {
        throw .damaged(path: probe.path, reason: "a page has an invalid header")
      }
      let nodes = page.bytes.withUnsafeBytes { bytes -> [Node]? in
        var nodes: [Node] = []
        for slot in stride(from: Self.headerSize, to: page.lower - 1, by: 2) {
          let start = Int(bytes.littleEndian(at: slot, as: UInt16.self))
          guard start + Self.nodeHeaderSize <= bytes.count else { return nil }
          let keySize = Int(bytes.littleEndian(at: start + 6, as: UInt16.self))
          let keyStart = start + Self.nodeHeaderSize
          guard keyStart + keySize <= bytes.count else { return nil }
          nodes.append(
            Node(
              key: [UInt8](bytes[keyStart..<keyStart + keySize]),
              low: bytes.littleEndian(at: start, as: UInt32.self),
              flags: bytes.littleEndian(at: start + 4, as: UInt16.self),
              contentStart: keyStart + keySize))
        }
        return nodes
      }
      guard let nodes else {
        throw .damaged(path: probe.path, reason: "a node reaches beyond its page")
      }
      return nodes
    }

    private func damaged(_ number: UInt64) -> StorageError {
      .damaged(path: probe.path, reason: "page \(number) is not a page of this tree")
    }
  }
}
