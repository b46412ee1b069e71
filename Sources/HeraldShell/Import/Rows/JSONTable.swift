import Glibc
import Herald

/// The columns of records of JSON by their names, found without making strings of these.
///
/// `@unchecked Sendable`: used by one thread at a time.
final class JSONTable: @unchecked Sendable {
  private struct Name {
    let start: Int
    let count: Int
    /// The last record that has it.
    var record = 0
  }

  let count: Int
  private let text: UnsafeMutablePointer<UInt8>
  private let names: UnsafeMutablePointer<Name>
  /// The indexes of names, by their hashes; -1 for none.
  private let slots: UnsafeMutablePointer<Int>
  private let mask: Int
  private var record = 0
  /// How many columns the record has so far.
  private(set) var marked = 0

  init(_ names: [String]) {
    count = names.count
    let bytes = names.map { Array($0.utf8) }
    text = .allocate(capacity: max(1, bytes.reduce(0) { $0 + $1.count }))
    self.names = .allocate(capacity: max(1, count))
    var size = 8
    while size < 2 * count { size *= 2 }
    mask = size - 1
    slots = .allocate(capacity: size)
    slots.initialize(repeating: -1, count: size)
    var start = 0
    for (index, name) in bytes.enumerated() {
      (text + start).update(from: name, count: name.count)
      (self.names + index).initialize(to: Name(start: start, count: name.count))
      start += name.count
      var slot = name.withUnsafeBufferPointer { Self.hash($0) } & mask
      while slots[slot] >= 0 { slot = (slot + 1) & mask }
      slots[slot] = index
    }
  }

  deinit {
    text.deallocate()
    names.deallocate()
    slots.deallocate()
  }

  /// Begins a record.
  @inline(__always)
  func begin() {
    record &+= 1
    marked = 0
  }

  /// Notes that the record has a column; returns false if it had it before.
  @inline(__always)
  func mark(_ index: Int) -> Bool {
    if names[index].record == record { return false }
    names[index].record = record
    marked &+= 1
    return true
  }

  @inline(__always)
  func isMarked(_ index: Int) -> Bool { names[index].record == record }

  /// The length of a column's name, if that and a quote are here, in at most `limit` bytes and one.
  @inline(__always)
  func count(ofName index: Int, at bytes: UnsafePointer<UInt8>, limit: Int) -> Int? {
    guard index < count else { return nil }
    let name = names[index]
    guard name.count <= limit, bytes[name.count] == 0x22,
      memcmp(bytes, text + name.start, name.count) == 0
    else { return nil }
    return name.count
  }

  /// The column of a name.
  @inline(never)
  func index(of name: CellText.Bytes) -> Int? {
    var slot = Self.hash(name) & mask
    while slots[slot] >= 0 {
      let found = names[slots[slot]]
      let known = CellText.Bytes(start: text + found.start, count: found.count)
      if found.count == name.count, known.elementsEqual(name) { return slots[slot] }
      slot = (slot + 1) & mask
    }
    return nil
  }

  private static func hash(_ bytes: CellText.Bytes) -> Int {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return Int(truncatingIfNeeded: hash ^ hash >> 32)
  }
}
