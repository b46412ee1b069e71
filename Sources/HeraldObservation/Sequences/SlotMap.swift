import HeraldModel

/// A sparse map from object numbers to the slots of the blocks that hold them: 2 bytes a number, 4 where there are
/// 65,000 slots or more, in pages that are allocated on first use.
struct SlotMap: Sendable {
  private static let pageSize = 64
  /// Marks a number that appears more than once: its slots are in `several`.
  private static let multiple = UInt32.max

  /// The index of each page among the entries, and 1 more; 0 for none.
  private var pages: [UInt32] = []
  /// The entries of the pages by number: 0 for no slot, else slot + 1.
  private var narrow: [UInt16] = []
  /// The same, from the first slot on that is too large.
  private var wide: [UInt32] = []
  private var isWide: Bool
  /// The number of entries in use.
  private var size = 0
  private var several: [UInt32: [UInt32: Int]] = [:]

  /// - Parameter slotCount: about as many slots as there will be.
  init(slotCount: Int = 0) { isWide = slotCount >= Int(UInt16.max) }

  /// Makes room for so many numbers up to a largest one.
  mutating func reserve(_ count: Int, upTo largest: UInt32) {
    let pageCount = Int(largest) / Self.pageSize + 1
    if pageCount > pages.count { pages = pages.inLargePages(of: pageCount) }
    // Few numbers among many may need as many pages, or far fewer.
    guard size == 0, pageCount * Self.pageSize <= 2 * count else { return }
    size = pageCount * Self.pageSize
    grow(to: size)
    for page in 0..<pageCount { pages[page] = UInt32(page + 1) }
  }

  /// Returns the slot of a number, any one of several; nil where it is absent.
  func slot(of number: UInt32) -> UInt32? {
    let entry = entry(of: number)
    if entry == Self.multiple { return several[number]?.keys.first }
    return entry == 0 ? nil : entry - 1
  }

  func contains(_ number: UInt32) -> Bool { entry(of: number) != 0 }

  func slots(of number: UInt32) -> [UInt32] {
    let entry = entry(of: number)
    if entry == Self.multiple { return several[number].map { Array($0.keys) } ?? [] }
    return entry == 0 ? [] : [entry - 1]
  }

  mutating func insert(_ number: UInt32, slot: UInt32) {
    let entry = entry(of: number)
    if entry == 0 {
      set(number, slot + 1)
    } else if entry == Self.multiple {
      several[number]?[slot, default: 0] += 1
    } else {
      several[number] = [entry - 1: 1]
      several[number]?[slot, default: 0] += 1
      set(number, Self.multiple)
    }
  }

  /// Inserts a number that has no slot. Without reading its entry, for which memory may take long.
  mutating func insertNew(_ number: UInt32, slot: UInt32) { set(number, slot + 1) }

  /// Inserts many numbers with one slot.
  mutating func insert(_ numbers: UnsafeBufferPointer<UInt32>, slot: UInt32) {
    var next = 0
    while next < numbers.count {
      if !isWide, slot < UInt16.max - 1 { next = insertNew(numbers, from: next, UInt16(slot + 1)) }
      if next == numbers.count { return }
      insert(numbers[next], slot: slot)
      next += 1
    }
  }

  /// Sets the narrow entries of numbers that have a page and no slot, up to the first one of another kind, and returns
  /// its index.
  private mutating func insertNew(
    _ numbers: UnsafeBufferPointer<UInt32>, from first: Int, _ entry: UInt16
  ) -> Int {
    pages.withUnsafeBufferPointer { pages in
      narrow.withUnsafeMutableBufferPointer { narrow in
        var next = first
        while next < numbers.count {
          let number = numbers[next]
          let page = Int(number) / Self.pageSize
          guard page < pages.count, pages[page] != 0 else { return next }
          let index = Int(pages[page] &- 1) &* Self.pageSize &+ Int(number) % Self.pageSize
          if narrow[index] != 0 { return next }
          narrow[index] = entry
          next &+= 1
        }
        return next
      }
    }
  }

  mutating func remove(_ number: UInt32, slot: UInt32) {
    guard !several.isEmpty, entry(of: number) == Self.multiple, var slots = several[number] else {
      set(number, 0)
      return
    }
    let times = slots[slot, default: 0] - 1
    slots[slot] = times > 0 ? times : nil
    if slots.count == 1, let (last, times) = slots.first, times == 1 {
      several[number] = nil
      set(number, last + 1)
    } else {
      several[number] = slots
    }
  }

  mutating func move(_ number: UInt32, from: UInt32, to: UInt32) {
    if entry(of: number) == Self.multiple {
      insert(number, slot: to)
      remove(number, slot: from)
    } else {
      set(number, to + 1)
    }
  }

  private func entry(of number: UInt32) -> UInt32 {
    let page = Int(number) / Self.pageSize
    guard page < pages.count, pages[page] != 0 else { return 0 }
    let index = place(of: number, page: pages[page])
    if isWide { return wide[index] }
    let entry = narrow[index]
    return entry == .max ? Self.multiple : UInt32(entry)
  }

  private func place(of number: UInt32, page: UInt32) -> Int {
    Int(page &- 1) &* Self.pageSize &+ Int(number) % Self.pageSize
  }

  private mutating func set(_ number: UInt32, _ entry: UInt32) {
    let page = Int(number) / Self.pageSize
    if page >= pages.count || pages[page] == 0 { addPage(page) }
    let index = place(of: number, page: pages[page])
    if isWide {
      wide[index] = entry
    } else if entry < UInt16.max || entry == Self.multiple {
      narrow[index] = UInt16(truncatingIfNeeded: entry)
    } else {
      widen()
      wide[index] = entry
    }
  }

  private mutating func addPage(_ page: Int) {
    if page >= pages.count {
      pages = pages.inLargePages(of: max(page + 1, min(2 * pages.count, page + 65_536)))
    }
    let capacity = isWide ? wide.count : narrow.count
    if size == capacity { grow(to: capacity + max(Self.pageSize, capacity / 4 & -Self.pageSize)) }
    size += Self.pageSize
    pages[page] = UInt32(size / Self.pageSize)
  }

  private mutating func grow(to capacity: Int) {
    if isWide {
      wide = wide.inLargePages(of: max(capacity, wide.count))
    } else {
      narrow = narrow.inLargePages(of: max(capacity, narrow.count))
    }
  }

  private mutating func widen() {
    wide = wide.inLargePages(of: narrow.count)
    for (index, entry) in narrow.enumerated() {
      wide[index] = entry == .max ? Self.multiple : UInt32(entry)
    }
    narrow = []
    isWide = true
  }

  var byteCount: Int { pages.capacity * 4 + narrow.capacity * 2 + wide.capacity * 4 }
}
