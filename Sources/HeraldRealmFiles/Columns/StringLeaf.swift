/// A leaf of texts or bytes, in one of three kinds, which its header shows.
///
///     short   (form multiply) fields of `width` bytes; the last byte is the number of unused bytes
///             before it, or the width for null
///     medium  (refs) ends of the values, one blob of all, nulls
///     big     (refs, context) a ref of a blob for each value, 0 for null
enum StringLeaf {
  /// Fields of equal length; `nullWidth` is false if a width of 0 is an empty text.
  case short(Node, nullWidth: Bool)
  /// One blob; each value has `ending` bytes after it.
  case medium(ends: Node, blob: Node, nulls: Node?, ending: Int)
  /// A blob for each; each value has `ending` bytes after it.
  case big(Node, ending: Int)

  /// What a leaf has.
  enum Content {
    /// Texts, with a zero byte after each. Fields of no width are null, or empty.
    case text(emptyWidthIsNull: Bool)
    /// Bytes.
    case bytes

    /// The number of bytes after each value that are not part of it.
    var ending: Int {
      switch self {
      case .text: 1
      case .bytes: 0
      }
    }
  }

  /// Reads the leaf at `ref`.
  init(_ ref: Int, _ content: Content, _ reader: inout NodeReader) throws(Fault) {
    try self.init(try reader.node(at: ref), content, &reader)
  }

  /// Reads the leaf that begins with `node`.
  init(_ node: Node, _ content: Content, _ reader: inout NodeReader) throws(Fault) {
    guard !node.isInner else { throw Fault(.wrongNode, at: node.ref) }
    guard node.hasRefs else {
      guard node.form == .multiply else { throw Fault(.wrongNode, at: node.ref) }
      switch content {
      case .text(let emptyWidthIsNull): self = .short(node, nullWidth: emptyWidthIsNull)
      case .bytes: self = .short(node, nullWidth: true)
      }
      return
    }
    guard !node.hasContext else {
      guard node.form == .bits else { throw Fault(.wrongNode, at: node.ref) }
      self = .big(node, ending: content.ending)
      return
    }
    let blob = try reader.node(at: node.requiredRef(1))
    _ = try reader.blobBytes(blob)
    var nulls: Node?
    if let ref = try node.optionalRef(2) { nulls = try reader.integers(at: ref) }
    self = .medium(
      ends: try reader.integers(at: node.requiredRef(0)), blob: blob, nulls: nulls,
      ending: content.ending)
  }

  /// The number of values.
  var count: Int {
    switch self {
    case .short(let node, _), .big(let node, _): node.count
    case .medium(let ends, _, _, _): ends.count
    }
  }

  /// Returns the text at `index`, or null. Throws if it is not UTF-8.
  func text(at index: Int, _ reader: inout NodeReader) throws(Fault) -> RealmValue {
    switch try blob(at: index, &reader) {
    case nil: return .null
    case .inPlace(let bytes):
      try reader.claimBytes(bytes.count, at: ref)
      return .string(try Self.text(bytes, at: ref))
    case .copied(let bytes):
      try reader.claimBytes(bytes.count, at: ref)
      return .string(try Self.text(bytes, at: ref))
    }
  }

  /// Returns the bytes at `index`, or null.
  func data(at index: Int, _ reader: inout NodeReader) throws(Fault) -> RealmValue {
    switch try blob(at: index, &reader) {
    case nil: return .null
    case .inPlace(let bytes):
      try reader.claimBytes(bytes.count, at: ref)
      return .data(Array(bytes))
    case .copied(let bytes):
      try reader.claimBytes(bytes.count, at: ref)
      return .data(bytes)
    }
  }

  /// Returns the bytes at `index`; nil for null.
  func blob(at index: Int, _ reader: inout NodeReader) throws(Fault) -> NodeReader.Blob? {
    switch self {
    case .short(let node, let nullWidth):
      return try Self.field(index, of: node, nullWidth: nullWidth)
    case .medium(let ends, let blob, let nulls, let ending):
      if let nulls, try nulls.integer(index) != 0 { return nil }
      let end = try ends.integer(index)
      let start = index > 0 ? try ends.integer(index - 1) : 0
      guard start >= 0, end >= start, Int(end - start) >= ending else {
        throw Fault(.outOfRange, at: ends.ref)
      }
      return .inPlace(try blob.bytes(from: Int(start), to: Int(end) - ending))
    case .big(let node, let ending):
      guard index >= 0, index < node.count else {
        throw Fault(.missing(element: index), at: node.ref)
      }
      guard let ref = try node.optionalRef(index) else { return nil }
      return try reader.blob(at: ref, ending: ending)
    }
  }

  /// The offset of a node of the leaf.
  var ref: Int {
    switch self {
    case .short(let node, _), .big(let node, _): node.ref
    case .medium(let ends, _, _, _): ends.ref
    }
  }

  private static func field(
    _ index: Int, of node: Node, nullWidth: Bool
  ) throws(Fault) -> NodeReader.Blob? {
    guard index >= 0, index < node.count else {
      throw Fault(.missing(element: index), at: node.ref)
    }
    let width = Int(node.width)
    guard width > 0 else {
      return nullWidth ? nil : .inPlace(UnsafeRawBufferPointer(start: node.payload, count: 0))
    }
    let start = index * width
    let unused = Int(node.payload.load(fromByteOffset: start + width - 1, as: UInt8.self))
    guard unused < width else {
      guard unused == width else { throw Fault(.outOfRange, at: node.ref) }
      return nil
    }
    return .inPlace(try node.bytes(from: start, to: start + width - 1 - unused))
  }

  private static func text(_ bytes: [UInt8], at ref: Int) throws(Fault) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Fault(.notUTF8, at: ref)
    }
    return text
  }

  /// Returns the text in these bytes. Throws if they are not UTF-8.
  private static func text(
    _ bytes: UnsafeRawBufferPointer, at ref: Int
  ) throws(Fault) -> String {
    let units = bytes.bindMemory(to: UInt8.self)
    // Most texts are ASCII; the general initializer takes four times as long for short ones.
    if isASCII(bytes) { return String(decoding: units, as: UTF8.self) }
    guard let text = String(validating: units, as: UTF8.self) else {
      throw Fault(.notUTF8, at: ref)
    }
    return text
  }

  private static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let words = bytes.count / 8
    var all: UInt64 = 0
    for word in 0..<words { all |= bytes.loadUnaligned(fromByteOffset: word * 8, as: UInt64.self) }
    for index in words * 8..<bytes.count { all |= UInt64(bytes[index]) }
    return all & 0x8080_8080_8080_8080 == 0
  }
}
