/// Makes files byte by byte, as `Documentation` of the format says, for tests and measurements.
///
/// Each function appends a node and returns its ref.
public struct RealmFileBuilder {
  /// The bytes so far, with an empty header.
  public var bytes = [UInt8](repeating: 0, count: 24)

  /// Makes a file without nodes.
  public init() {}

  /// An element of an array of refs.
  public enum Slot {
    case none
    case ref(Int)
    case tagged(Int)
  }

  /// The bits of a node's fifth byte.
  public struct Flags: OptionSet, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public static let inner = Flags(rawValue: 0x80)
    public static let refs = Flags(rawValue: 0x40)
    public static let context = Flags(rawValue: 0x20)
    public static let multiply = Flags(rawValue: 0x08)
    public static let byteForm = Flags(rawValue: 0x10)
  }

  /// Appends a node with this payload.
  public mutating func node(
    _ flags: Flags, width: Int, count: Int, _ payload: some Collection<UInt8>
  ) -> Int {
    let ref = bytes.count
    let code = width == 0 ? 0 : UInt8(width.trailingZeroBitCount) + 1
    bytes += [0x41, 0x41, 0x41, 0x41, flags.rawValue | code]
    bytes += [UInt8(count >> 16 & 255), UInt8(count >> 8 & 255), UInt8(count & 255)]
    bytes += payload
    while bytes.count % 8 != 0 { bytes.append(0) }
    return ref
  }

  /// Appends an array of integers, as wide as it must be or as `width` says.
  public mutating func integers(_ values: [Int64], _ flags: Flags = [], width: Int? = nil) -> Int {
    let width = width ?? values.map(Self.width).max() ?? 0
    var payload = [UInt8](repeating: 0, count: (values.count * width + 7) / 8)
    for (index, value) in values.enumerated() {
      if width >= 8 {
        for byte in 0..<width / 8 {
          payload[index * width / 8 + byte] = UInt8(truncatingIfNeeded: value >> (8 * byte))
        }
      } else if width > 0 {
        payload[index * width / 8] |= UInt8(truncatingIfNeeded: value) << (index * width % 8)
      }
    }
    return node(flags, width: width, count: values.count, payload)
  }

  private static func width(_ value: Int64) -> Int {
    switch value {
    case 0: 0
    case 1: 1
    case 2...3: 2
    case 4...15: 4
    case -128...127: 8
    case -32768...32767: 16
    case -2_147_483_648...2_147_483_647: 32
    default: 64
    }
  }

  /// Appends an array of refs and numbers.
  public mutating func array(_ slots: [Slot], _ flags: Flags = []) -> Int {
    let values = slots.map { slot -> Int64 in
      switch slot {
      case .none: 0
      case .ref(let ref): Int64(ref)
      case .tagged(let number): Int64(number) << 1 | 1
      }
    }
    return integers(values, flags.union(.refs))
  }

  /// Appends an array of refs.
  public mutating func refs(_ refs: [Int], _ flags: Flags = []) -> Int {
    array(refs.map { .ref($0) }, flags)
  }

  /// Appends a blob.
  public mutating func blob(_ content: some Collection<UInt8>) -> Int {
    node(.byteForm, width: 0, count: content.count, content)
  }

  /// Appends a leaf of short texts.
  public mutating func shortStrings(_ texts: [String?]) -> Int {
    let longest = texts.map { ($0?.utf8.count ?? 0) + 1 }.max() ?? 0
    let isNull = texts.allSatisfy { $0 == nil }
    let width = isNull ? 0 : [1, 2, 4, 8, 16, 32, 64].first { $0 >= longest } ?? 64
    var payload: [UInt8] = []
    for text in isNull ? [] : texts {
      let content = Array((text ?? "").utf8)
      payload += content + [UInt8](repeating: 0, count: width - 1 - content.count)
      payload.append(text == nil ? UInt8(width) : UInt8(width - 1 - content.count))
    }
    return node(.multiply, width: width, count: texts.count, payload)
  }

  /// Appends a leaf of values in one blob, each with `ending` zero bytes after it.
  public mutating func medium(_ values: [[UInt8]?], ending: Int) -> Int {
    var content: [UInt8] = []
    var ends: [Int64] = []
    for value in values {
      if let value { content += value + [UInt8](repeating: 0, count: ending) }
      ends.append(Int64(content.count))
    }
    let endsRef = integers(ends)
    let blobRef = blob(content)
    let nullsRef = integers(values.map { $0 == nil ? 1 : 0 })
    return refs([endsRef, blobRef, nullsRef])
  }

  /// Appends a leaf of values that each have a blob, with `ending` zero bytes after it.
  public mutating func big(_ values: [[UInt8]?], ending: Int) -> Int {
    var slots: [Slot] = []
    for value in values {
      guard let value else {
        slots.append(.none)
        continue
      }
      slots.append(.ref(blob(value + [UInt8](repeating: 0, count: ending))))
    }
    return array(slots, .context)
  }

  /// Appends a leaf of numbers of 64 bits.
  public mutating func doubles(_ values: [Double]) -> Int {
    let payload = values.flatMap { value in
      withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) }
    }
    return node(.multiply, width: 8, count: values.count, payload)
  }

  /// Appends a leaf of numbers of 32 bits.
  public mutating func floats(_ values: [Float]) -> Int {
    let payload = values.flatMap { value in
      withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) }
    }
    return node(.multiply, width: 4, count: values.count, payload)
  }

  /// Appends a leaf of object IDs or UUIDs of `length` bytes.
  public mutating func identifiers(_ values: [[UInt8]?], length: Int) -> Int {
    var payload: [UInt8] = []
    for start in stride(from: 0, to: values.count, by: 8) {
      let block = values[start..<min(start + 8, values.count)]
      var nulls: UInt8 = 0
      for (index, value) in block.enumerated() where value == nil { nulls |= 1 << UInt8(index) }
      payload.append(nulls)
      for value in block { payload += value ?? [UInt8](repeating: 0, count: length) }
    }
    return node(.multiply, width: 1, count: payload.count, payload)
  }

  /// Returns the file whose top array is at `top`.
  public func file(top: Int, format: UInt8 = 24) -> [UInt8] {
    var file = bytes
    for byte in 0..<8 { file[byte] = UInt8(truncatingIfNeeded: top >> (8 * byte)) }
    file.replaceSubrange(16..<24, with: [0x54, 0x2D, 0x44, 0x42, format, format, 0, 0])
    return file
  }
}
