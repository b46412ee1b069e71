/// Numbers byte strings from 0 in the order in which they come: a table with open addressing.
final class ByteNumbers {
  private struct Entry {
    let hash: UInt64
    let start: Int
    let count: Int
  }

  private typealias Slots = UnsafeMutablePointer<UInt32>

  /// How many different strings there are.
  private(set) var count = 0
  /// By number; as many as half of the slots.
  private var entries = UnsafeMutablePointer<Entry>.allocate(capacity: 32)
  /// The bytes of all strings, one after the other.
  private var content = UnsafeMutableRawPointer.allocate(byteCount: 512, alignment: 8)
  private var (contentCount, contentCapacity) = (0, 512)
  /// One more than the number that is here; 0 in a free slot. At most half of the slots are taken.
  private var slots = ByteNumbers.free(64)
  private var mask = 63

  deinit {
    entries.deallocate()
    content.deallocate()
    slots.deallocate()
  }

  private static func free(_ count: Int) -> Slots {
    let slots = Slots.allocate(capacity: count)
    slots.initialize(repeating: 0, count: count)
    return slots
  }

  /// Calls `body` with the bytes that have a number.
  func withBytes<Result>(_ number: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    precondition(number >= 0 && number < count)
    let entry = entries[number]
    return body(UnsafeRawBufferPointer(start: content + entry.start, count: entry.count))
  }

  /// Returns the number of some bytes; a new one if they have none. O(bytes).
  func number(of bytes: UnsafeRawBufferPointer) -> Int {
    guard let base = bytes.baseAddress, bytes.count > 0 else {
      // The place of no byte, for what has no address.
      return number(of: UnsafeRawPointer(content), 0)
    }
    return number(of: base, bytes.count)
  }

  private func number(of bytes: UnsafeRawPointer, _ length: Int) -> Int {
    let hash = Self.hash(bytes, length)
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot] != 0 {
      let number = Int(slots[slot]) - 1
      let entry = entries[number]
      if entry.hash == hash, entry.count == length,
        Self.areEqual(UnsafeRawPointer(content + entry.start), bytes, length)
      {
        return number
      }
      slot = (slot + 1) & mask
    }
    return add(bytes, length, hash, slot)
  }

  private func add(_ bytes: UnsafeRawPointer, _ length: Int, _ hash: UInt64, _ free: Int) -> Int {
    var slot = free
    if count == (mask + 1) / 2 {
      grow()
      slot = freeSlot(hash)
    }
    if contentCount + length > contentCapacity { growContent(length) }
    (content + contentCount).copyMemory(from: bytes, byteCount: length)
    entries[count] = Entry(hash: hash, start: contentCount, count: length)
    contentCount += length
    count += 1
    slots[slot] = UInt32(count)
    return count - 1
  }

  private func growContent(_ length: Int) {
    contentCapacity = max(2 * contentCapacity, contentCount + length)
    let grown = UnsafeMutableRawPointer.allocate(byteCount: contentCapacity, alignment: 8)
    grown.copyMemory(from: content, byteCount: contentCount)
    content.deallocate()
    content = grown
  }

  private func grow() {
    let capacity = 4 * (mask + 1)
    let grown = UnsafeMutablePointer<Entry>.allocate(capacity: capacity / 2)
    grown.update(from: entries, count: count)
    entries.deallocate()
    slots.deallocate()
    (entries, slots, mask) = (grown, Self.free(capacity), capacity - 1)
    for number in 0..<count { slots[freeSlot(entries[number].hash)] = UInt32(number + 1) }
  }

  private func freeSlot(_ hash: UInt64) -> Int {
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot] != 0 { slot = (slot + 1) & mask }
    return slot
  }

  /// Words of eight bytes, the last of which may have some of the one before.
  @inline(__always)
  private static func areEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ count: Int) -> Bool {
    func isEqual(_ index: Int) -> Bool {
      a.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        == b.loadUnaligned(fromByteOffset: index, as: UInt64.self)
    }
    if count < 8 { return shortWord(a, count) == shortWord(b, count) }
    var index = 0
    while index < count - 8 {
      if !isEqual(index) { return false }
      index += 8
    }
    return isEqual(count - 8)
  }

  /// Words of eight bytes, like `areEqual`.
  @inline(__always)
  private static func hash(_ bytes: UnsafeRawPointer, _ count: Int) -> UInt64 {
    let start = UInt64(truncatingIfNeeded: count) &* 0x9E37_79B9_7F4A_7C15
    if count < 8 { return mixed(start ^ shortWord(bytes, count)) }
    var hash = start
    var index = 0
    while index < count - 8 {
      hash = mixed(hash ^ bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      index += 8
    }
    return mixed(hash ^ bytes.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self))
  }

  /// Fewer than eight bytes, as a word that differs for all of the same number.
  @inline(__always)
  private static func shortWord(_ bytes: UnsafeRawPointer, _ count: Int) -> UInt64 {
    if count >= 4 {
      return UInt64(bytes.loadUnaligned(as: UInt32.self)) << 32
        | UInt64(bytes.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self))
    }
    if count == 0 { return 0 }
    let first = UInt64(bytes.load(as: UInt8.self))
    let middle = UInt64(bytes.load(fromByteOffset: count >> 1, as: UInt8.self))
    let last = UInt64(bytes.load(fromByteOffset: count - 1, as: UInt8.self))
    return first << 16 | middle << 8 | last
  }

  @inline(__always) private static func mixed(_ word: UInt64) -> UInt64 {
    let product = word.multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
    return product.high ^ product.low
  }
}
