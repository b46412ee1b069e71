extension NodeReader {
  /// The bytes of a blob: in place, or copied if they are in pieces.
  enum Blob {
    /// In the file.
    case inPlace(UnsafeRawBufferPointer)
    /// In memory.
    case copied([UInt8])
  }

  /// Reads the blob at `ref`, without the last `ending` bytes.
  mutating func blob(at ref: Int, ending: Int) throws(Fault) -> Blob {
    let node = try node(at: ref)
    if node.hasRefs, node.hasContext { return .copied(try pieces(node, ending: ending)) }
    let bytes = try blobBytes(node)
    return .inPlace(try node.bytes(from: 0, to: bytes.count - ending))
  }

  /// Returns the bytes of a blob that is in one piece.
  func blobBytes(_ node: Node) throws(Fault) -> UnsafeRawBufferPointer {
    guard !node.hasRefs, !node.isInner, node.form == .bytes else {
      throw Fault(.wrongNode, at: node.ref)
    }
    return node.bytes
  }

  private mutating func pieces(_ node: Node, ending: Int) throws(Fault) -> [UInt8] {
    var bytes: [UInt8] = []
    for index in 0..<node.count {
      let piece = try self.node(at: node.requiredRef(index))
      let pieceBytes = try blobBytes(piece)
      // The pieces of one value are apart, so that they are not longer than the file.
      guard pieceBytes.count <= self.bytes.count - bytes.count else {
        throw Fault(.tooMuch, at: node.ref)
      }
      bytes.append(contentsOf: pieceBytes)
    }
    guard bytes.count >= ending else { throw Fault(.outOfRange, at: node.ref) }
    bytes.removeLast(ending)
    return bytes
  }
}
