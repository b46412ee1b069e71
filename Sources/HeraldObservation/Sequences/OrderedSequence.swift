import HeraldModel

/// Object numbers in any order, by position and by number: the rows of sorted results (each number
/// once) and of lists of links (duplicates allowed). About 10 bytes a row. An operation costs
/// O(log n) and the work within one block.
struct OrderedSequence: Sendable {
  static let blockLimit = 512
  /// How full blocks are made when many rows come at once.
  private static let blockFill = 384
  /// Below this a block is joined with a neighbour.
  private static let blockMinimum = 96

  /// The rows of each block, by slot; a slot keeps its index while the block lives.
  private(set) var blocks: [[UInt32]] = []
  private var freeSlots: [UInt32] = []
  /// How often the first row of each block has become another or has gone and come back, by slot.
  private(set) var headChanges: [UInt32] = []
  /// The slots in the order of their rows, and back.
  private(set) var order: [UInt32] = []
  private(set) var places: [UInt32] = []
  /// The number of rows by place.
  private(set) var tree = CountTree()
  private(set) var slots = SlotMap()
  private(set) var count = 0

  init() {}

  /// O(n).
  init(_ numbers: some Collection<ObjectNumber>) {
    for number in numbers { append(number) }
    tree = CountTree(order.map { blocks[Int($0)].count })
  }

  func contains(_ number: ObjectNumber) -> Bool { slots.contains(UInt32(number)) }

  func number(at position: Int) -> ObjectNumber {
    precondition(position >= 0 && position < count, "a row beyond the end")
    let (place, offset) = tree.find(position)
    return Int(blocks[Int(order[place])][offset])
  }

  /// The position of a number, some one of them where it stands more than once; nil where it does
  /// not stand.
  func position(of number: ObjectNumber) -> Int? {
    guard let slot = slots.slot(of: UInt32(number)),
      let offset = blocks[Int(slot)].firstIndex(of: UInt32(number))
    else { return nil }
    return tree.sum(before: Int(places[Int(slot)])) + offset
  }

  /// Every position of a number, ascending.
  func positions(of number: ObjectNumber) -> [Int] {
    var found: [Int] = []
    for slot in slots.slots(of: UInt32(number)) {
      let start = tree.sum(before: Int(places[Int(slot)]))
      for (offset, other) in blocks[Int(slot)].enumerated() where other == UInt32(number) {
        found.append(start + offset)
      }
    }
    return found.sorted()
  }

  mutating func insert(_ number: ObjectNumber, at position: Int) {
    precondition(position >= 0 && position <= count, "a row beyond the end")
    let number = UInt32(number)
    if order.isEmpty { addBlock([], at: 0) }
    var (place, offset) = position == count ? (order.count - 1, 0) : tree.find(position)
    if position == count { offset = blocks[Int(order[place])].count }
    let slot = order[place]
    blocks[Int(slot)].insert(number, at: offset)
    if offset == 0 { headChanges[Int(slot)] &+= 1 }
    slots.insert(number, slot: slot)
    tree.add(1, at: place)
    count += 1
    if blocks[Int(slot)].count > Self.blockLimit { split(place) }
  }

  @discardableResult
  mutating func remove(at position: Int) -> ObjectNumber {
    precondition(position >= 0 && position < count, "a row beyond the end")
    let (place, offset) = tree.find(position)
    let slot = order[place]
    let number = blocks[Int(slot)].remove(at: offset)
    if offset == 0 { headChanges[Int(slot)] &+= 1 }
    slots.remove(number, slot: slot)
    tree.add(-1, at: place)
    count -= 1
    if blocks[Int(slot)].count < Self.blockMinimum { shrink(place) }
    return Int(number)
  }

  /// How many rows stand before the first that does not satisfy `isBefore`, which must hold for
  /// some first rows and for none after them. Calls it O(log n) times.
  func partition(_ isBefore: (ObjectNumber) -> Bool) -> Int {
    partition(heads: { isBefore(head(of: Int($0))) }, guess: { _, _ in nil }, rows: isBefore)
  }

  /// The same, asking about the first rows of blocks by their blocks' slots: what is known of these
  /// few rows is asked for in every search.
  ///
  /// - Parameter guess: how much of the block in the first slot is likely to be before, from 0 to 1,
  ///   where the second slot's block follows.
  func partition(
    heads isHeadBefore: (UInt32) -> Bool, guess: (UInt32, UInt32) -> Double?,
    rows isBefore: (ObjectNumber) -> Bool
  ) -> Int {
    // The first block whose first row is not before: the edge lies in the block ahead of it.
    let next = order.lowerBound(isHeadBefore)
    guard next > 0 else { return 0 }
    let block = blocks[Int(order[next - 1])]
    let start = tree.sum(before: next - 1)
    if next < order.count, let part = guess(order[next - 1], order[next]) {
      return start + block.lowerBound(near: Int(part * Double(block.count))) { isBefore(Int($0)) }
    }
    return start + block.lowerBound { isBefore(Int($0)) }
  }

  /// The first row of the block in a slot.
  func head(of slot: Int) -> ObjectNumber { Int(blocks[slot][0]) }

  func forEachNumber(_ body: (ObjectNumber) -> Void) {
    for slot in order {
      for number in blocks[Int(slot)] { body(Int(number)) }
    }
  }

  private mutating func append(_ number: ObjectNumber) {
    let isFull = order.last.map { blocks[Int($0)].count >= Self.blockFill } ?? true
    if isFull {
      var block: [UInt32] = []
      block.reserveCapacity(Self.blockFill)
      places.append(UInt32(order.count))
      order.append(UInt32(blocks.count))
      blocks.append(block)
      headChanges.append(0)
    }
    blocks[blocks.count - 1].append(UInt32(number))
    slots.insert(UInt32(number), slot: UInt32(blocks.count - 1))
    count += 1
  }

  private mutating func addBlock(_ rows: [UInt32], at place: Int) {
    let slot: UInt32
    if let free = freeSlots.popLast() {
      slot = free
      blocks[Int(slot)] = rows
      headChanges[Int(slot)] &+= 1
    } else {
      slot = UInt32(blocks.count)
      blocks.append(rows)
      headChanges.append(0)
      places.append(0)
    }
    order.insert(slot, at: place)
    number(from: place)
  }

  private mutating func split(_ place: Int) {
    let slot = order[place]
    let rows = blocks[Int(slot)]
    let upper = Array(rows[(rows.count / 2)...])
    // A copy, so that the half keeps no room for the whole.
    blocks[Int(slot)] = Array(rows[..<(rows.count / 2)])
    addBlock(upper, at: place + 1)
    for number in upper { slots.move(number, from: slot, to: order[place + 1]) }
  }

  /// Removes an empty block, or moves the rows of a small one into a neighbour that has room.
  private mutating func shrink(_ place: Int) {
    let slot = order[place]
    let rows = blocks[Int(slot)]
    if !rows.isEmpty {
      let room = Self.blockFill - rows.count
      if place + 1 < order.count, blocks[Int(order[place + 1])].count <= room {
        let host = order[place + 1]
        blocks[Int(host)].insert(contentsOf: rows, at: 0)
        headChanges[Int(host)] &+= 1
        for number in rows { slots.move(number, from: slot, to: host) }
      } else if place > 0, blocks[Int(order[place - 1])].count <= room {
        let host = order[place - 1]
        blocks[Int(host)].append(contentsOf: rows)
        for number in rows { slots.move(number, from: slot, to: host) }
      } else {
        return
      }
    }
    blocks[Int(slot)] = []
    freeSlots.append(slot)
    order.remove(at: place)
    number(from: place)
  }

  /// Numbers the places anew from one on: O(blocks), once in many operations.
  private mutating func number(from first: Int) {
    for place in first..<max(first, order.count) { places[Int(order[place])] = UInt32(place) }
    tree = CountTree(order.map { blocks[Int($0)].count })
  }
}
