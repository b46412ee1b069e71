/// From an object number to the block, or blocks, of a sequence that hold it: 4 bytes a number, in
/// pages that exist only where there are numbers.
struct SlotMap: Sendable {
  private static let pageSize = 64
  /// A number that stands more than once: its slots are in `several`.
  private static let manifold = UInt32.max

  /// 0 for no slot, else slot + 1.
  private(set) var pages: [[UInt32]] = []
  private var several: [UInt32: [UInt32: Int]] = [:]

  /// The slot of a number, the first found where it has several.
  func slot(of number: UInt32) -> UInt32? {
    let entry = entry(of: number)
    if entry == Self.manifold { return several[number]?.keys.first }
    return entry == 0 ? nil : entry - 1
  }

  func contains(_ number: UInt32) -> Bool { entry(of: number) != 0 }

  func slots(of number: UInt32) -> [UInt32] {
    let entry = entry(of: number)
    if entry == Self.manifold { return several[number].map { Array($0.keys) } ?? [] }
    return entry == 0 ? [] : [entry - 1]
  }

  mutating func insert(_ number: UInt32, slot: UInt32) {
    let entry = entry(of: number)
    if entry == 0 {
      set(number, slot + 1)
    } else if entry == Self.manifold {
      several[number]?[slot, default: 0] += 1
    } else {
      several[number] = [entry - 1: 1]
      several[number]?[slot, default: 0] += 1
      set(number, Self.manifold)
    }
  }

  mutating func remove(_ number: UInt32, slot: UInt32) {
    guard entry(of: number) == Self.manifold, var slots = several[number] else {
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
    if entry(of: number) == Self.manifold {
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
