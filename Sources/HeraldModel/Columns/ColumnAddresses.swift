/// The addresses of a column's blocks, as far as they were noted, by the number of the block.
///
/// A read of a noted block is a comparison of epochs and a load: a few nanoseconds, if the memory is in
/// the processor's caches. Its owner frees it.
@_spi(Blocks) @frozen
public struct ColumnAddresses {
  @usableFromInline var blocks: UnsafeMutablePointer<BlockAddress>?
  @usableFromInline var count = 0

  /// The epoch that no address carries, while none may be used.
  @inlinable public static var noEpoch: UInt64 { .max }

  /// Notes nothing.
  public init() {}

  /// Returns the address of the block of an object number; nil if it was not noted in this epoch.
  @inlinable @inline(__always)
  public func block(of number: Int, _ epoch: UInt64) -> BlockAddress? {
    let index = number >> 8
    guard UInt(bitPattern: index) < UInt(bitPattern: count) else { return nil }
    let block = blocks.unsafelyUnwrapped[index]
    return block.epoch == epoch ? block : nil
  }

  /// Notes the address of a block; `blockCount` is the number of blocks that the column has.
  public mutating func note(_ address: BlockAddress, block: Int, of blockCount: Int) {
    if block >= count { grow(toHold: max(block + 1, blockCount)) }
    blocks?[block] = address
  }

  private mutating func grow(toHold needed: Int) {
    let capacity = needed + needed / 4
    let new = UnsafeMutablePointer<BlockAddress>.allocate(capacity: capacity)
    UnsafeMutableRawPointer(new).initializeMemory(
      as: UInt8.self, repeating: 0, count: capacity * MemoryLayout<BlockAddress>.stride)
    if let blocks { new.update(from: blocks, count: count) }
    free()
    (blocks, count) = (new, capacity)
  }

  /// Forgets every address and frees the memory.
  public mutating func free() {
    blocks?.deallocate()
    (blocks, count) = (nil, 0)
  }
}
