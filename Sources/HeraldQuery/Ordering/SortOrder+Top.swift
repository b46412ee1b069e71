import HeraldModel

extension SortOrder {
  /// Returns the rows that may be among the first `count` in this order, in their given order; nil if
  /// that requires a sort.
  ///
  /// One pass over the first key's column, which skips blocks whose values all come after these. The
  /// rows must be ascending.
  func top(
    _ count: Int, of rows: [ObjectNumber], _ reader: any ObjectReader
  ) -> [ObjectNumber]? {
    guard count < rows.count / 16, let column = topColumn(count, reader) else { return nil }
    var top = TopRows(count: count, column)
    var start = 0
    while start < rows.count, !reader.isInterrupted {
      let block = rows[start] / blockSize
      var mask = BlockMask.zero
      while start < rows.count, rows[start] / blockSize == block {
        // A mask cannot represent rows that are not ascending or occur twice.
        guard start == 0 || rows[start - 1] < rows[start] else { return nil }
        mask.insert(rows[start] % blockSize)
        start += 1
      }
      top.take(block, mask, column, reader)
    }
    return top.rows
  }

  /// Like `top` of the rows of a plan, which it does not collect.
  func top(_ count: Int, of plan: QueryPlan, _ reader: any ObjectReader) -> [ObjectNumber]? {
    guard count < plan.candidates.count / 16, let column = topColumn(count, reader) else {
      return nil
    }
    var top = TopRows(count: count, column)
    plan.forEachBlock(reader) { top.take($0, $1, column, reader) }
    return top.rows
  }

  /// The column of the first key, if its blocks show which rows may be among the first.
  private func topColumn(_ count: Int, _ reader: any ObjectReader) -> TopColumn? {
    guard let key = keys.first, key.isOfPath, count > 0, count <= TopRows.largest,
      let property = key.path.propertyOfRoot,
      let found = reader.schema.classSchema(key.path.root)?.property(property),
      found.type.element.hasColumnTests
    else { return nil }
    return TopColumn(
      property: property, classID: key.path.root, isOptional: found.type.isOptional,
      isAscending: key.isAscending, isWhole: keys.count == 1 && found.type.element.hasExactRanks,
      isFloating: found.type.element.isFloatingColumn)
  }
}

/// The column of the first key.
private struct TopColumn {
  let property: PropertyID
  let classID: ClassID
  let isOptional: Bool
  let isAscending: Bool
  /// Whether rows of equal rank are equal, so that earlier ones come first.
  let isWhole: Bool
  /// Whether it has doubles or floats, or integers; nil if it has no numbers.
  let isFloating: Bool?
}

extension StoredBlock {
  fileprivate var integerRanks: (smallest: UInt64, largest: UInt64)? {
    integerZone.map { ($0.smallest.sortRank, $0.largest.sortRank) }
  }

  fileprivate var doubleRanks: (smallest: UInt64, largest: UInt64)? {
    doubleZone.map { ($0.smallest.sortRank, $0.largest.sortRank) }
  }
}

extension ElementType {
  /// Whether blocks of its columns are doubles, or integers; nil if they are neither.
  fileprivate var isFloatingColumn: Bool? {
    switch self {
    case .double, .float: true
    case .bool, .int, .link: false
    case .string, .data, .date, .decimal, .uuid, .objectID, .any: nil
    }
  }

  /// Whether equal ranks mean equal values.
  fileprivate var hasExactRanks: Bool {
    switch self {
    case .bool, .int, .float, .double, .link: true
    case .string, .data, .date, .decimal, .uuid, .objectID, .any: false
    }
  }
}

/// The rows with the smallest ranks of the first key so far.
private struct TopRows {
  /// For larger counts a sort is faster.
  static let largest = 4096

  private let count: Int
  private let isAscending: Bool
  /// Whether rows of equal rank are equal, so that earlier ones come first.
  private let isWhole: Bool
  private var ranks: [UInt64] = []
  private var numbers: [ObjectNumber] = []
  /// Rows of a larger rank are rejected.
  private var threshold = UInt64.max
  private var isFull = false
  /// The number of rows at which `compact` drops those of too large a rank.
  private var compactionSize: Int

  init(count: Int, _ column: TopColumn) {
    compactionSize = max(4 * count, 1024)
    self.count = count
    isAscending = column.isAscending
    isWhole = column.isWhole
  }

  /// Takes the rows of a block, unless all its values come after those of the first rows.
  mutating func take(
    _ block: Int, _ mask: BlockMask, _ column: TopColumn, _ reader: any ObjectReader
  ) {
    if isFull, !column.isOptional, let isFloating = column.isFloating {
      var isLate = false
      reader.withNumbers(column.property, of: column.classID, block: block) {
        isLate = isBeyond(isFloating ? $0.doubleRanks : $0.integerRanks)
      }
      if isLate { return }
    }
    take(reader.column(column.property, of: column.classID, block: block), block, mask)
  }

  var rows: [ObjectNumber] {
    var kept = self
    kept.compact()
    return kept.numbers
  }

  private func isTooLate(_ rank: UInt64) -> Bool {
    isFull && (isWhole ? rank >= threshold : rank > threshold)
  }

  /// Returns whether every value of a block without nil has too large a rank, of which the smallest and the largest are
  /// known.
  private func isBeyond(_ ranks: (smallest: UInt64, largest: UInt64)?) -> Bool {
    ranks.map { isTooLate(isAscending ? $0.smallest : ~$0.largest) } ?? false
  }

  mutating func take(_ column: ColumnValues, _ block: Int, _ mask: BlockMask) {
    switch column {
    case .integers(let values, let nulls): take(nulls, block, mask) { values[$0].sortRank }
    case .doubles(let values, let nulls): take(nulls, block, mask) { values[$0].sortRank }
    case .dates(let values, let nulls): take(nulls, block, mask) { values[$0].seconds.sortRank }
    case .strings(let values, let nulls): take(nulls, block, mask) { values[$0].sortRank }
    case .data(let values, let nulls): take(nulls, block, mask) { values[$0].sortRank }
    }
  }

  @inline(__always)
  private mutating func take(
    _ nulls: BlockMask, _ block: Int, _ mask: BlockMask, _ rank: (Int) -> UInt64
  ) {
    for bit in BlockBits(mask & ~nulls) {
      let rank = isAscending ? rank(bit) : ~rank(bit)
      // Nil has the first rank of all: a value that shares it must not win by being earlier.
      if isTooLate(rank), rank != 0, rank != .max { continue }
      ranks.append(rank)
      numbers.append(block * blockSize + bit)
    }
    for bit in BlockBits(mask & nulls) {
      let rank: UInt64 = isAscending ? 0 : .max
      if isFull, rank > threshold { continue }
      ranks.append(rank)
      numbers.append(block * blockSize + bit)
    }
    if numbers.count >= compactionSize { compact() }
  }

  /// Drops the rows that come after the first `count`.
  private mutating func compact() {
    guard numbers.count > count else { return }
    threshold = ranks.selected(count - 1)
    isFull = true
    var kept = 0
    for index in numbers.indices where ranks[index] <= threshold {
      ranks[kept] = ranks[index]
      numbers[kept] = numbers[index]
      kept += 1
    }
    ranks.removeLast(ranks.count - kept)
    numbers.removeLast(numbers.count - kept)
    // Ties are all kept; doubling the size keeps repeated compaction linear.
    compactionSize = max(compactionSize, 2 * kept)
  }
}
