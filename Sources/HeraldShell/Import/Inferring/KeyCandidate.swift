import Herald

/// Finds whether the values of a column are unique.
///
/// Numbers that ascend without gaps are kept as ranges, others by their hashes, 23 bytes a value at most. Two values of
/// one hash count as equal, so that a column might be no key that could be one: once in 100 million files of a million.
struct KeyCandidate {
  private static let mostRanges = 4096

  private(set) var isUnique = true
  private var ranges: [ClosedRange<Int>] = []
  private var hashes = HashTable()

  mutating func note(_ bytes: CellText.Bytes) {
    guard isUnique else { return }
    let number = CellText.int(bytes)
    if hashes.isEmpty, let number, extend(with: number...number) { return }
    hashRanges()
    if !hashes.insert(number.map(Self.hash) ?? Self.hash(bytes)) { fail() }
  }

  /// Notes the values of later rows.
  mutating func merge(_ other: KeyCandidate) {
    guard isUnique else { return }
    guard other.isUnique else { return fail() }
    var ranges = other.ranges[...]
    if hashes.isEmpty, other.hashes.isEmpty {
      while let range = ranges.first, extend(with: range) { ranges.removeFirst() }
      if ranges.isEmpty { return }
    }
    hashRanges()
    let areNew =
      ranges.allSatisfy { $0.allSatisfy { hashes.insert(Self.hash($0)) } }
      && other.hashes.allSatisfy { hashes.insert($0) }
    if !areNew { fail() }
  }

  /// Keeps the hashes of numbers that were kept as ranges.
  private mutating func hashRanges() {
    for range in ranges { for number in range { _ = hashes.insert(Self.hash(number)) } }
    ranges = []
  }

  mutating func fail() { self = KeyCandidate(isUnique: false) }

  init() {}

  private init(isUnique: Bool) { self.isUnique = isUnique }

  /// Returns false if the numbers are not greater than all before them, or make too many ranges.
  private mutating func extend(with numbers: ClosedRange<Int>) -> Bool {
    guard let last = ranges.last else {
      ranges = [numbers]
      return true
    }
    guard numbers.lowerBound > last.upperBound else { return false }
    if numbers.lowerBound == last.upperBound + 1 {
      ranges[ranges.count - 1] = last.lowerBound...numbers.upperBound
    } else {
      if ranges.count == Self.mostRanges { return false }
      ranges.append(numbers)
    }
    return true
  }

  private static func hash(_ number: Int) -> UInt64 { mixed(UInt64(bitPattern: Int64(number))) }

  private static func hash(_ bytes: CellText.Bytes) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325 &+ UInt64(bytes.count)
    let raw = UnsafeRawBufferPointer(bytes)
    var offset = 0
    while offset + 8 <= raw.count {
      hash = mixed(hash ^ raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset += 8
    }
    var rest: UInt64 = 0
    for byte in raw[offset...] { rest = rest << 8 | UInt64(byte) }
    return mixed(hash ^ rest)
  }

  private static func mixed(_ word: UInt64) -> UInt64 {
    var word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
    return word ^ word >> 31
  }
}

/// A set of hashes.
private struct HashTable {
  private var slots: [UInt64] = []
  private var hasZero = false
  private var count = 0

  var isEmpty: Bool { count == 0 && !hasZero }

  /// Returns whether the hash was inserted.
  mutating func insert(_ hash: UInt64) -> Bool {
    if hash == 0 {
      defer { hasZero = true }
      return !hasZero
    }
    if count * 10 >= slots.count * 7 { grow() }
    guard place(hash) else { return false }
    count += 1
    return true
  }

  /// Returns whether all hashes have a property.
  func allSatisfy(_ hasProperty: (UInt64) -> Bool) -> Bool {
    if hasZero, !hasProperty(0) { return false }
    return slots.allSatisfy { $0 == 0 || hasProperty($0) }
  }

  private mutating func place(_ hash: UInt64) -> Bool {
    let mask = slots.count - 1
    var index = Int(truncatingIfNeeded: hash) & mask
    while slots[index] != 0 {
      if slots[index] == hash { return false }
      index = (index + 1) & mask
    }
    slots[index] = hash
    return true
  }

  private mutating func grow() {
    let old = slots
    slots = [UInt64](repeating: 0, count: max(64, old.count * 2))
    for hash in old where hash != 0 { _ = place(hash) }
  }
}
