/// Numbers integers from 0 in the order in which they come: a table with open addressing, and one of its own for small
/// integers.
final class IntegerNumbers {
  private typealias Table = UnsafeMutablePointer<Int>

  /// How many different integers there are.
  private(set) var count = 0
  /// By number; as many as half of the slots.
  private var integers = Table.allocate(capacity: 32)
  /// One more than the number that is here; 0 in a free slot. At most half of the slots are taken.
  private var slots = IntegerNumbers.free(64)
  private var mask = 63
  /// One more than the number of each integer below `smallEnd`.
  private let small = IntegerNumbers.free(smallEnd)
  private static let smallEnd = 1024

  deinit {
    integers.deallocate()
    slots.deallocate()
    small.deallocate()
  }

  private static func free(_ count: Int) -> Table {
    let slots = Table.allocate(capacity: count)
    slots.initialize(repeating: 0, count: count)
    return slots
  }

  subscript(number: Int) -> Int {
    precondition(number >= 0 && number < count)
    return integers[number]
  }

  /// Returns the number of an integer; a new one if it has none. O(1).
  @inline(__always)
  func number(of integer: Int) -> Int {
    if UInt(bitPattern: integer) < UInt(Self.smallEnd), small[integer] > 0 {
      return small[integer] - 1
    }
    return find(integer)
  }

  private func find(_ integer: Int) -> Int {
    var slot = Self.hash(integer) & mask
    while slots[slot] != 0 {
      if integers[slots[slot] - 1] == integer { return slots[slot] - 1 }
      slot = (slot + 1) & mask
    }
    if count == (mask + 1) / 2 {
      grow()
      return find(integer)
    }
    integers[count] = integer
    count += 1
    slots[slot] = count
    if UInt(bitPattern: integer) < UInt(Self.smallEnd) { small[integer] = count }
    return count - 1
  }

  private func grow() {
    let capacity = 4 * (mask + 1)
    let grown = Table.allocate(capacity: capacity / 2)
    grown.update(from: integers, count: count)
    integers.deallocate()
    slots.deallocate()
    (integers, slots, mask) = (grown, Self.free(capacity), capacity - 1)
    for number in 0..<count {
      var slot = Self.hash(integers[number]) & mask
      while slots[slot] != 0 { slot = (slot + 1) & mask }
      slots[slot] = number + 1
    }
  }

  private static func hash(_ integer: Int) -> Int {
    let mixed = UInt(bitPattern: integer) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: mixed >> 32)
  }
}
