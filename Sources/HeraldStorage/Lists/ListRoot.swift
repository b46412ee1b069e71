/// The root record of a list: its elements, if they are few, otherwise the directory of its runs.
///
///     root      := inline | directory
///     inline    := 2:u8 0:u8 0:u16 0:u32 block                            block as in FlatBlock
///     directory := 2:u8 1:u8 kind:u8 0:u8 runs:u32 elements:u64 next run:u32 0:u32
///                  runs x id:u32, then runs x elements:u16
///
/// Every number is little-endian. Each run is a record of its own with a block of 1 to 512
/// elements; the directory gives their order. An empty list has no root.
package struct ListRoot {
  package static let format: UInt8 = 2
  package static let longestRun = 512
  package static let inlineHeaderSize = 8
  static let directoryHeaderSize = 24

  let bytes: UnsafeRawBufferPointer

  /// Returns nil if the bytes are not a root.
  package init?(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    guard bytes.count >= Self.inlineHeaderSize, bytes[0] == Self.format, bytes[1] <= 1 else {
      return nil
    }
    if isInline {
      guard inlineBlock.isReadable else { return nil }
    } else {
      guard bytes.count >= Self.directoryHeaderSize,
        bytes.count == Self.directoryHeaderSize + runCount * 6, kind != nil
      else { return nil }
    }
  }

  package var isInline: Bool { bytes[1] == 0 }

  /// The kind of the elements; never nil in a valid root.
  package var kind: ColumnKind? {
    isInline ? inlineBlock.kind : ColumnKind(rawValue: bytes[2])
  }

  package var inlineBlock: FlatBlock {
    FlatBlock(UnsafeRawBufferPointer(rebasing: bytes[Self.inlineHeaderSize...]))
  }

  package var count: Int {
    isInline
      ? inlineBlock.count : Int(truncatingIfNeeded: bytes.littleEndian(at: 8, as: UInt64.self))
  }

  /// The number of runs of a directory.
  package var runCount: Int { Int(bytes.littleEndian(at: 4, as: UInt32.self)) }
  /// The next unused run id of a directory.
  package var nextRun: UInt32 { bytes.littleEndian(at: 16, as: UInt32.self) }

  package func runID(_ index: Int) -> UInt32 {
    bytes.littleEndian(at: Self.directoryHeaderSize + index * 4, as: UInt32.self)
  }

  package func runLength(_ index: Int) -> Int {
    let counts = Self.directoryHeaderSize + runCount * 4
    return Int(bytes.littleEndian(at: counts + index * 2, as: UInt16.self))
  }

  /// The position of a run's first element; linear in the number of runs before it.
  func start(of run: Int) -> Int { (0..<run).reduce(0) { $0 + runLength($1) } }

  /// Returns the run of a position and its offset there; linear in the number of runs.
  func locate(_ position: Int) -> (run: Int, offset: Int)? {
    var offset = position
    for run in 0..<runCount {
      let length = runLength(run)
      if offset < length { return (run, offset) }
      offset -= length
    }
    return nil
  }

  static func directory(
    _ kind: ColumnKind, _ runs: [(id: UInt32, count: Int)], next: UInt32
  ) -> [UInt8] {
    let size = directoryHeaderSize + runs.count * 6
    return [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
      let bytes = UnsafeMutableRawBufferPointer(buffer)
      func put(_ number: some FixedWidthInteger & BitwiseCopyable, at offset: Int) {
        bytes.storeBytes(of: number.littleEndian, toByteOffset: offset, as: type(of: number))
      }
      let mark = UInt32(format) | 1 << 8 | UInt32(kind.rawValue) << 16
      put(mark, at: 0)
      put(UInt32(runs.count), at: 4)
      put(UInt64(runs.reduce(0) { $0 + $1.count }), at: 8)
      put(next, at: 16)
      put(UInt32(0), at: 20)
      let counts = directoryHeaderSize + runs.count * 4
      for (index, run) in runs.enumerated() {
        put(run.id, at: directoryHeaderSize + index * 4)
        put(UInt16(run.count), at: counts + index * 2)
      }
      filled = size
    }
  }

  static func inline(_ draft: BlockDraft) -> [UInt8] {
    [format, 0, 0, 0, 0, 0, 0, 0]
      + draft.withFlatForm { UnsafeRawBufferPointer(start: $0.base, count: $0.length) }
  }
}
