import HeraldModel

/// A sequence of object numbers with access by position and by number: the rows of sorted results
/// (without duplicates) and of lists of links (with duplicates). About 7 bytes a row, 2 more with marks. An operation
/// costs O(log n) and the work within one block.
struct OrderedSequence: Sendable {
  /// The number of rows in a block that is built or joined.
  private static let blockFill = 448
  /// A block with fewer rows is joined with a neighbour.
  private static let blockMinimum = 96

  /// The rows of each block, by slot; a block keeps its slot.
  private(set) var blocks: MarkedBlocks
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
  /// What the last insertion or removal did to the blocks.
  private(set) var lastChange = BlockChange.none

  /// A change of the blocks by one of a row, with the index of a block.
  enum BlockChange {
    case none
    /// The upper half of the block is now the block after it.
    case split(Int)
    /// The block, which was empty, was removed.
    case removed(Int)
    /// The block and the one after it are now one.
    case joined(Int)
  }

  /// Where a row was before its removal.
  struct Removal {
    let number: ObjectNumber
    let position: Int
    let blockIndex: Int
    let isHead: Bool
  }

  init(isMarked: Bool = false) { blocks = MarkedBlocks(isMarked: isMarked) }

  /// Creates a sequence, whose marks, if it has any, are 0. O(n).
  init(_ numbers: some Collection<ObjectNumber>, isMarked: Bool = false) {
    blocks = MarkedBlocks(numbers, fill: Self.blockFill, isMarked: isMarked)
    let slotCount = blocks.slotCount
    order = Array(0..<UInt32(slotCount))
    blockIndices = order
    headChanges = Array(repeating: 0, count: slotCount)
    count = numbers.count
    slots = SlotMap(slotCount: slotCount)
    slots.reserve(count, upTo: UInt32(numbers.max() ?? 0))
    for slot in order { blocks.withRows(of: slot) { slots.insert($0, slot: slot) } }
    tree = CountTree(order.map { blocks.count(of: $0) })
  }

  func contains(_ number: ObjectNumber) -> Bool { slots.contains(UInt32(number)) }

  func number(at position: Int) -> ObjectNumber {
    precondition(position >= 0 && position < count, "a row beyond the end")
    let (blockIndex, offset) = tree.find(position)
    return Int(blocks.number(at: offset, of: order[blockIndex]))
  }

  /// Returns the position of a number, any one of several; nil where it is absent.
  func position(of number: ObjectNumber) -> Int? {
    guard let slot = slots.slot(of: UInt32(number)),
      let offset = offset(of: UInt32(number), in: slot)
    else { return nil }
    return tree.sum(before: Int(blockIndices[Int(slot)])) + offset
  }

  private func offset(of number: UInt32, in slot: UInt32) -> Int? {
    blocks.withRows(of: slot) { $0.firstOffset(of: number) }
  }

  /// Returns every position of a number, ascending.
  func positions(of number: ObjectNumber) -> [Int] {
    var found: [Int] = []
    for slot in slots.slots(of: UInt32(number)) {
      let start = tree.sum(before: Int(blockIndices[Int(slot)]))
      blocks.withRows(of: slot) { rows in
        for (offset, other) in rows.enumerated() where other == UInt32(number) {
          found.append(start + offset)
        }
      }
    }
    return found.sorted()
  }

  mutating func insert(_ number: ObjectNumber, at position: Int) {
    precondition(position >= 0 && position <= count, "a row beyond the end")
    guard position == count else {
      let (blockIndex, offset) = tree.find(position)
      return insert(number, at: offset, ofBlock: blockIndex, isNew: false)
    }
    if order.isEmpty { addBlock(at: 0) }
    let last = order.count - 1
    insert(number, at: blocks.count(of: order[last]), ofBlock: last, isNew: false)
  }

  /// Inserts a number at an offset in a block. `isNew`: whether it is known not to be in the sequence.
  mutating func insert(
    _ number: ObjectNumber, mark: UInt16 = 0, at offset: Int, ofBlock blockIndex: Int, isNew: Bool
  ) {
    let slot = order[blockIndex]
    if isNew {
      slots.insertNew(UInt32(number), slot: slot)
    } else {
      slots.insert(UInt32(number), slot: slot)
    }
    blocks.insert(UInt32(number), mark: mark, at: offset, of: slot)
    if offset == 0 { headChanges[Int(slot)] &+= 1 }
    tree.add(1, at: blockIndex)
    count += 1
    lastChange = .none
    if blocks.count(of: slot) == MarkedBlocks.capacity { split(blockIndex) }
  }

  @discardableResult
  mutating func remove(at position: Int) -> ObjectNumber {
    precondition(position >= 0 && position < count, "a row beyond the end")
    let (blockIndex, offset) = tree.find(position)
    return remove(at: offset, ofBlock: blockIndex).number
  }

  /// Removes a number that appears once at most; returns nil where it is absent.
  mutating func remove(_ number: ObjectNumber) -> Removal? {
    guard let slot = slots.slot(of: UInt32(number)),
      let offset = offset(of: UInt32(number), in: slot)
    else { return nil }
    return remove(at: offset, ofBlock: Int(blockIndices[Int(slot)]))
  }

  /// Removes the row at an offset in a block.
  mutating func remove(at offset: Int, ofBlock blockIndex: Int) -> Removal {
    let position = tree.sum(before: blockIndex) + offset
    let slot = order[blockIndex]
    let number = blocks.remove(at: offset, of: slot)
    if offset == 0 { headChanges[Int(slot)] &+= 1 }
    slots.remove(number, slot: slot)
    tree.add(-1, at: blockIndex)
    count -= 1
    lastChange = .none
    if blocks.count(of: slot) < Self.blockMinimum { shrink(blockIndex) }
    return Removal(
      number: Int(number), position: position, blockIndex: blockIndex, isHead: offset == 0)
  }

  /// Returns the position of the first row that does not satisfy `isBefore`, which must hold for a prefix
  /// only. Calls it O(log n) times.
  func partition(_ isBefore: (ObjectNumber) -> Bool) -> Int {
    // The partition point lies in the block before the first block whose first row is not before.
    let next = order.partitionPoint { isBefore(head(of: Int($0))) }
    guard next > 0 else { return 0 }
    let offset = blocks.withRows(of: order[next - 1]) { rows in
      rows.partitionPoint { isBefore(Int($0)) }
    }
    return tree.sum(before: next - 1) + offset
  }

  /// Returns the first row of the block in a slot.
  func head(of slot: Int) -> ObjectNumber { Int(blocks.number(at: 0, of: UInt32(slot))) }

  func forEachNumber(_ body: (ObjectNumber) -> Void) {
    for slot in order {
      blocks.withRows(of: slot) { rows in
        for number in rows { body(Int(number)) }
      }
    }
  }

  /// Replaces the marks of a block by those that `mark` returns for the offsets of its rows.
  mutating func setMarks(ofBlock blockIndex: Int, _ mark: (Int) -> UInt16) {
    blocks.setMarks(of: order[blockIndex], mark)
  }

  /// Adds an empty block.
  private mutating func addBlock(at blockIndex: Int) {
    let slot: UInt32
    if let free = freeSlots.popLast() {
      slot = free
      headChanges[Int(slot)] &+= 1
    } else {
      slot = blocks.add()
      headChanges.append(0)
      blockIndices.append(0)
    }
    order.insert(slot, at: blockIndex)
    number(from: blockIndex)
  }

  private mutating func split(_ blockIndex: Int) {
    let slot = order[blockIndex]
    addBlock(at: blockIndex + 1)
    let other = order[blockIndex + 1]
    blocks.moveRows(from: MarkedBlocks.capacity / 2, of: slot, to: other)
    noteMoved(blocks.withRows(of: other) { Array($0) }, from: slot, to: other)
    tree = CountTree(order.map { blocks.count(of: $0) })
    lastChange = .split(blockIndex)
  }

  /// Removes an empty block, or moves the rows of a small one into a neighbour with room.
  private mutating func shrink(_ blockIndex: Int) {
    let slot = order[blockIndex]
    let rowCount = blocks.count(of: slot)
    if rowCount == 0 {
      lastChange = .removed(blockIndex)
    } else {
      let room = Self.blockFill - rowCount
      let isNext =
        blockIndex + 1 < order.count && blocks.count(of: order[blockIndex + 1]) <= room
      guard isNext || blockIndex > 0 && blocks.count(of: order[blockIndex - 1]) <= room else {
        return
      }
      let host = order[isNext ? blockIndex + 1 : blockIndex - 1]
      let rows = blocks.withRows(of: slot) { Array($0) }
      blocks.moveRows(of: slot, to: host, atStart: isNext)
      if isNext { headChanges[Int(host)] &+= 1 }
      noteMoved(rows, from: slot, to: host)
      lastChange = .joined(isNext ? blockIndex : blockIndex - 1)
    }
    freeSlots.append(slot)
    order.remove(at: blockIndex)
    number(from: blockIndex)
  }

  private mutating func noteMoved(_ rows: [UInt32], from slot: UInt32, to other: UInt32) {
    for number in rows { slots.move(number, from: slot, to: other) }
  }

  /// Renumbers the blocks from an index on. O(blocks), for splits and joins only.
  private mutating func number(from first: Int) {
    for index in first..<max(first, order.count) { blockIndices[Int(order[index])] = UInt32(index) }
    tree = CountTree(order.map { blocks.count(of: $0) })
  }

  var byteCount: Int {
    blocks.byteCount + (order.capacity + blockIndices.capacity + headChanges.capacity) * 4
      + tree.byteCount + slots.byteCount
  }
}

extension UnsafeBufferPointer<UInt32> {
  /// Returns the offset of the first element that equals a number, eight elements at a time; nil without one.
  fileprivate func firstOffset(of number: UInt32) -> Int? {
    let sought = SIMD8<UInt32>(repeating: number)
    let bytes = UnsafeRawBufferPointer(self)
    var offset = 0
    while offset &+ 8 <= count {
      let eight = bytes.loadUnaligned(fromByteOffset: offset &* 4, as: SIMD8<UInt32>.self)
      if any(eight .== sought) { break }
      offset &+= 8
    }
    while offset < count {
      if self[offset] == number { return offset }
      offset &+= 1
    }
    return nil
  }
}
