import HeraldModel

/// A sequence of object numbers with access by position and by number: the rows of sorted results
/// (without duplicates) and of lists of links (with duplicates). About 10 bytes a row. An operation costs
/// O(log n) and the work within one block.
struct OrderedSequence: Sendable {
  static let blockLimit = 512
  /// The number of rows in a block that is built or joined.
  private static let blockFill = 384
  /// A block with fewer rows is joined with a neighbour.
  private static let blockMinimum = 96

  /// The rows of each block, by slot; a block keeps its slot.
  private(set) var blocks: [[UInt32]] = []
  private var freeSlots: [UInt32] = []
  /// The number of changes of each block's first row, removal and reinsertion included, by slot.
  private(set) var headChanges: [UInt32] = []
  /// The slots in the order of their rows; `blockIndices` is the inverse.
  private(set) var order: [UInt32] = []
  private(set) var blockIndices: [UInt32] = []
  /// The number of rows of each block, in the order of rows.
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
    let (blockIndex, offset) = tree.find(position)
    return Int(blocks[Int(order[blockIndex])][offset])
  }

  /// Returns the position of a number, any one of several; nil where it is absent.
  func position(of number: ObjectNumber) -> Int? {
    guard let slot = slots.slot(of: UInt32(number)),
      let offset = blocks[Int(slot)].firstOffset(of: UInt32(number))
    else { return nil }
    return tree.sum(before: Int(blockIndices[Int(slot)])) + offset
  }

  /// Returns every position of a number, ascending.
  func positions(of number: ObjectNumber) -> [Int] {
    var found: [Int] = []
    for slot in slots.slots(of: UInt32(number)) {
      let start = tree.sum(before: Int(blockIndices[Int(slot)]))
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
    var (blockIndex, offset) = position == count ? (order.count - 1, 0) : tree.find(position)
    if position == count { offset = blocks[Int(order[blockIndex])].count }
    insert(number, at: offset, ofBlock: blockIndex)
  }

  private mutating func insert(_ number: UInt32, at offset: Int, ofBlock blockIndex: Int) {
    let slot = order[blockIndex]
    blocks[Int(slot)].insert(number, at: offset)
    if offset == 0 { headChanges[Int(slot)] &+= 1 }
    slots.insert(number, slot: slot)
    tree.add(1, at: blockIndex)
    count += 1
    if blocks[Int(slot)].count > Self.blockLimit { split(blockIndex) }
  }

  @discardableResult
  mutating func remove(at position: Int) -> ObjectNumber {
    precondition(position >= 0 && position < count, "a row beyond the end")
    let (blockIndex, offset) = tree.find(position)
    return remove(at: offset, ofBlock: blockIndex)
  }

  /// Removes a number that appears once at most, and returns the position that it had; nil where it is absent.
  mutating func remove(_ number: ObjectNumber) -> Int? {
    guard let slot = slots.slot(of: UInt32(number)),
      let offset = blocks[Int(slot)].firstOffset(of: UInt32(number))
    else { return nil }
    let blockIndex = Int(blockIndices[Int(slot)])
    let position = tree.sum(before: blockIndex) + offset
    remove(at: offset, ofBlock: blockIndex)
    return position
  }

  @discardableResult
  private mutating func remove(at offset: Int, ofBlock blockIndex: Int) -> ObjectNumber {
    let slot = order[blockIndex]
    let number = blocks[Int(slot)].remove(at: offset)
    if offset == 0 { headChanges[Int(slot)] &+= 1 }
    slots.remove(number, slot: slot)
    tree.add(-1, at: blockIndex)
    count -= 1
    if blocks[Int(slot)].count < Self.blockMinimum { shrink(blockIndex) }
    return Int(number)
  }

  /// Returns the position of the first row that does not satisfy `isBefore`, which must hold for a prefix
  /// only. Calls it O(log n) times.
  func partition(_ isBefore: (ObjectNumber) -> Bool) -> Int {
    // The partition point lies in the block before the first block whose first row is not before.
    let next = order.partitionPoint { isBefore(head(of: Int($0))) }
    guard next > 0 else { return 0 }
    let block = blocks[Int(order[next - 1])]
    return tree.sum(before: next - 1) + block.partitionPoint { isBefore(Int($0)) }
  }

  /// Inserts a number before the first row that does not satisfy `isBefore`, which must hold for a prefix only, and
  /// returns its position.
  ///
  /// - Parameters:
  ///   - next: the index of the first block whose first row is not before.
  ///   - guess: the estimated fraction of the block before that one that is before, from 0 to 1.
  mutating func insert(
    _ number: ObjectNumber, inBlockBefore next: Int, guess: Double?,
    isBefore: (ObjectNumber) -> Bool
  ) -> Int {
    guard next > 0 else {
      insert(number, at: 0)
      return 0
    }
    let slot = Int(order[next - 1])
    let offset =
      if let guess {
        blocks[slot].partitionPoint(near: Int(guess * Double(blocks[slot].count))) {
          isBefore(Int($0))
        }
      } else {
        blocks[slot].partitionPoint { isBefore(Int($0)) }
      }
    let position = tree.sum(before: next - 1) + offset
    insert(UInt32(number), at: offset, ofBlock: next - 1)
    return position
  }

  /// Returns the first row of the block in a slot.
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
      blockIndices.append(UInt32(order.count))
      order.append(UInt32(blocks.count))
      blocks.append(block)
      headChanges.append(0)
    }
    blocks[blocks.count - 1].append(UInt32(number))
    slots.insert(UInt32(number), slot: UInt32(blocks.count - 1))
    count += 1
  }

  private mutating func addBlock(_ rows: [UInt32], at blockIndex: Int) {
    let slot: UInt32
    if let free = freeSlots.popLast() {
      slot = free
      blocks[Int(slot)] = rows
      headChanges[Int(slot)] &+= 1
    } else {
      slot = UInt32(blocks.count)
      blocks.append(rows)
      headChanges.append(0)
      blockIndices.append(0)
    }
    order.insert(slot, at: blockIndex)
    number(from: blockIndex)
  }

  private mutating func split(_ blockIndex: Int) {
    let slot = order[blockIndex]
    let rows = blocks[Int(slot)]
    let upper = Array(rows[(rows.count / 2)...])
    // A copy, so that the lower half does not keep the capacity of the whole.
    blocks[Int(slot)] = Array(rows[..<(rows.count / 2)])
    addBlock(upper, at: blockIndex + 1)
    for number in upper { slots.move(number, from: slot, to: order[blockIndex + 1]) }
  }

  /// Removes an empty block, or moves the rows of a small one into a neighbour with room.
  private mutating func shrink(_ blockIndex: Int) {
    let slot = order[blockIndex]
    let rows = blocks[Int(slot)]
    if !rows.isEmpty {
      let room = Self.blockFill - rows.count
      if blockIndex + 1 < order.count, blocks[Int(order[blockIndex + 1])].count <= room {
        let host = order[blockIndex + 1]
        blocks[Int(host)].insert(contentsOf: rows, at: 0)
        headChanges[Int(host)] &+= 1
        for number in rows { slots.move(number, from: slot, to: host) }
      } else if blockIndex > 0, blocks[Int(order[blockIndex - 1])].count <= room {
        let host = order[blockIndex - 1]
        blocks[Int(host)].append(contentsOf: rows)
        for number in rows { slots.move(number, from: slot, to: host) }
      } else {
        return
      }
    }
    blocks[Int(slot)] = []
    freeSlots.append(slot)
    order.remove(at: blockIndex)
    number(from: blockIndex)
  }

  /// Renumbers the blocks from an index on. O(blocks), for splits and joins only.
  private mutating func number(from first: Int) {
    for index in first..<max(first, order.count) { blockIndices[Int(order[index])] = UInt32(index) }
    tree = CountTree(order.map { blocks[Int($0)].count })
  }
}

extension [UInt32] {
  /// Returns the offset of the first element that equals a number, eight elements at a time; nil without one.
  fileprivate func firstOffset(of number: UInt32) -> Int? {
    withUnsafeBufferPointer { elements in
      let sought = SIMD8<UInt32>(repeating: number)
      let bytes = UnsafeRawBufferPointer(elements)
      var offset = 0
      while offset &+ 8 <= elements.count {
        let eight = bytes.loadUnaligned(fromByteOffset: offset &* 4, as: SIMD8<UInt32>.self)
        if any(eight .== sought) { break }
        offset &+= 8
      }
      while offset < elements.count {
        if elements[offset] == number { return offset }
        offset &+= 1
      }
      return nil
    }
  }
}
