/// A sparse map from object numbers to the slots of the blocks that hold them: 4 bytes a number, in pages
/// that are allocated on first use.
struct SlotMap: Sendable {
  private static let pageSize = 64
  /// Marks a number that appears more than once: its slots are in `several`.
  private static let multiple = UInt32.max

  /// The entries by number: 0 for no slot, else slot + 1.
  private(set) var pages: [[UInt32]] = []
  private var several: [UInt32: [UInt32: Int]] = [:]

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

  mutating func remove(_ number: UInt32, slot: UInt32) {
    guard entry(of: number) == Self.multiple, var slots = several[number] else {
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
    guard page < pages.count, !pages[page].isEmpty else { return 0 }
    return pages[page][Int(number) % Self.pageSize]
  }

  private mutating func set(_ number: UInt32, _ entry: UInt32) {
    let page = Int(number) / Self.pageSize
    while pages.count <= page { pages.append([]) }
    if pages[page].isEmpty { pages[page] = [UInt32](repeating: 0, count: Self.pageSize) }
    pages[page][Int(number) % Self.pageSize] = entry
  }
}
