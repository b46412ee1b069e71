/// Numbers integers from 0: those of a window by their distance from its first one, all others in the order in which they
/// come, in a table with open addressing.
final class IntegerNumbers {
  /// Integers whose numbers are known from the beginning.
  struct Window: Sendable {
    let first: Int
    let count: Int

    static let none = Window(first: 0, count: 0)

    /// A power of two above `count`; 1 for none.
    var capacity: Int { count == 0 ? 1 : 1 << (Int.bitWidth - count.leadingZeroBitCount) }

    /// Whether it has all integers from one to another.
    func contains(_ smallest: Int, _ largest: Int) -> Bool {
      smallest >= first && largest >= smallest
        && UInt(bitPattern: largest &- first) < UInt(count)
    }
  }

  private typealias Table = UnsafeMutablePointer<Int>

  let window: Window
  /// How many numbers there are.
  private(set) var count: Int
  /// By number from that of the window on; as many as half of the slots.
  private var integers = Table.allocate(capacity: 32)
  private var others = 0
  /// One more than the index in `integers`; 0 in a free slot. At most half of the slots are taken.
  private var slots = IntegerNumbers.free(64)
  private var mask = 63

  init(_ window: Window = .none) {
    self.window = window
    count = window.count
  }

  deinit {
    integers.deallocate()
    slots.deallocate()
  }

  private static func free(_ count: Int) -> Table {
    let slots = Table.allocate(capacity: count)
    slots.initialize(repeating: 0, count: count)
    return slots
  }

  subscript(number: Int) -> Int {
    precondition(number >= 0 && number < count)
    return number < window.count ? window.first + number : integers[number - window.count]
  }

  /// Returns the number of an integer; a new one if it has none. O(1).
  @inline(__always)
  func number(of integer: Int) -> Int {
    let distance = UInt(bitPattern: integer &- window.first)
    if distance < UInt(window.count) { return Int(distance) }
    var slot = Self.hash(integer) & mask
    while slots[slot] != 0 {
      if integers[slots[slot] - 1] == integer { return slots[slot] - 1 + window.count }
      slot = (slot + 1) & mask
    }
    return add(integer, slot)
  }

  private func add(_ integer: Int, _ free: Int) -> Int {
    var slot = free
    if others == (mask + 1) / 2 {
      grow()
      slot = freeSlot(integer)
    }
    integers[others] = integer
    others += 1
    count += 1
    slots[slot] = others
    return count - 1
  }

  private func grow() {
    let capacity = 4 * (mask + 1)
    let grown = Table.allocate(capacity: capacity / 2)
    grown.update(from: integers, count: others)
    integers.deallocate()
    slots.deallocate()
    (integers, slots, mask) = (grown, Self.free(capacity), capacity - 1)
    for index in 0..<others { slots[freeSlot(integers[index])] = index + 1 }
  }

  private func freeSlot(_ integer: Int) -> Int {
    var slot = Self.hash(integer) & mask
    while slots[slot] != 0 { slot = (slot + 1) & mask }
    return slot
  }

  private static func hash(_ integer: Int) -> Int {
    let mixed = UInt(bitPattern: integer) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: mixed >> 32)
  }
}
