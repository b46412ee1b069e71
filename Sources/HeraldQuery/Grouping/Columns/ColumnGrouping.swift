import HeraldModel

// Second way: groups of whole columns, of objects in memory blocks by properties of their own.
// It must equal the groups of the members one by one (`GroupTable`), and `ColumnGroupsTests` holds it equal.
// It saves nine tenths of `group`: a million objects by a number or a text take 7 to 16 ms, one by one 170 to 250 (measured).

/// The groups of a query's objects, made of whole columns: by properties of the objects themselves, with aggregates of
/// such properties. O(objects), a few nanoseconds for each, on all cores if there are many.
final class ColumnGrouping {
  private let columns: GroupedColumns
  private let classID: ClassID
  private let reader: any ObjectReader
  private let room = BlockRoom()
  /// Nil before the first block was added.
  private var groups: ColumnGroups?
  private var windows: [IntegerNumbers.Window] = []

  // The blocks that are to be added next: their numbers and members, and each column of one block after the other.
  private var blocks: [(block: Int, rows: BlockMask)] = []
  private var stored: [StoredBlock?] = []
  private var areStored = true

  /// So many blocks are added at once: a million objects.
  private static let blocksAtOnce = 4096
  /// From this number of blocks on, 100,000 objects, several threads group them,
  private static let manyBlocks = 391
  /// so many in one part,
  private static let blocksOfPart = 256
  /// unless there are many groups among the first blocks: the groups of all parts have to be added up.
  private static let firstBlocks = 16
  private static let manyGroups = 2048

  /// Integer keys within such a range are numbered by their distance from the smallest: less where much is kept of each
  /// group, such as exact sums of doubles.
  private let largestWindow: Int

  /// Returns nil for a grouping by something else.
  init?(_ grouping: BoundGrouping, _ reader: any ObjectReader) {
    guard let columns = GroupedColumns(grouping) else { return nil }
    self.columns = columns
    self.reader = reader
    largestWindow = columns.accumulators.contains { $0.bytesOfGroup > 64 } ? 1 << 9 : 1 << 12
    classID = grouping.query.classID
  }

  /// Returns the rows of the groups of a query's objects, unordered.
  func rows(of members: BoundQuery) -> [GroupRow] {
    members.forEachBlock(reader) { block, rows in
      blocks.append((block, rows))
      for property in columns.properties {
        let found = reader.storedBlock(property, of: classID, block: block)
        stored.append(found)
        if found == nil { areStored = false }
      }
      if blocks.count == Self.blocksAtOnce { addBlocks() }
    }
    addBlocks()
    return groups?.rows ?? []
  }

  private func addBlocks() {
    if blocks.isEmpty { return }
    let groups = preparedGroups()
    let isMany = areStored && blocks.count >= Self.manyBlocks
    let first = isMany ? Self.firstBlocks : blocks.count
    for index in 0..<first where !reader.isInterrupted { add(index, to: groups) }
    if isMany {
      if groups.count > Self.manyGroups + windows[0].count {
        for index in first..<blocks.count where !reader.isInterrupted { add(index, to: groups) }
      } else {
        for part in groupsOfParts(from: first) { part.map(groups.add) }
      }
    }
    blocks.removeAll(keepingCapacity: true)
    stored.removeAll(keepingCapacity: true)
    areStored = true
  }

  /// Adds a block that may have to be read.
  private func add(_ index: Int, to groups: ColumnGroups) {
    let (block, rows) = blocks[index]
    groups.add(rows, columns, room) { column in
      if let found = stored[index * columns.properties.count + column] {
        return BlockColumn(.stored(found))
      }
      return BlockColumn(
        .values(reader.column(columns.properties[column], of: classID, block: block)))
    }
  }

  /// Returns the groups of each part of the blocks, found by several threads; nil for those that were omitted.
  private func groupsOfParts(from first: Int) -> [ColumnGroups?] {
    let partCount = (blocks.count - first + Self.blocksOfPart - 1) / Self.blocksOfPart
    let (blocks, stored, columns, windows) = (blocks, stored, columns, windows)
    return [ColumnGroups?](unsafeUninitializedCapacity: partCount) { buffer, initializedCount in
      buffer.initialize(repeating: nil)
      initializedCount = partCount
      // Each part has an element of its own.
      nonisolated(unsafe) let parts = buffer
      reader.concurrently(partCount) { part in
        let start = first + part * Self.blocksOfPart
        let groups = ColumnGroups(columns, windows)
        let room = BlockRoom()
        for index in start..<min(start + Self.blocksOfPart, blocks.count) {
          groups.add(blocks[index].rows, columns, room) { column in
            BlockColumn(.stored(stored[index * columns.properties.count + column] ?? .nothing))
          }
        }
        parts[part] = groups
      }
    }
  }

  /// The groups so far; without any, those that have the windows of the next blocks.
  private func preparedGroups() -> ColumnGroups {
    if let groups { return groups }
    windows = columns.keys.map { key in
      switch key.kind {
      case .bools: IntegerNumbers.Window(first: 0, count: 2)
      case .integers: window(key.column)
      case .texts, .dates: .none
      }
    }
    let new = ColumnGroups(columns, windows)
    groups = new
    return new
  }

  /// The integers of a column, if they are within a small range.
  private func window(_ column: Int) -> IntegerNumbers.Window {
    var (smallest, largest) = (Int.max, Int.min)
    for index in stride(from: column, to: stored.count, by: columns.properties.count) {
      guard let block = stored[index], block.smallest <= block.largest else { continue }
      (smallest, largest) = (min(smallest, block.smallest), max(largest, block.largest))
    }
    let (range, isTooLarge) = largest.subtractingReportingOverflow(smallest)
    guard smallest <= largest, !isTooLarge, range < largestWindow else { return .none }
    return IntegerNumbers.Window(first: smallest, count: range + 1)
  }
}
