import HeraldModel

extension SortOrder {
  /// The rows that may be among the first `count` of these in this order, in the order that they
  /// have; nil where it takes a sort to tell.
  ///
  /// One pass over the first key's column, which skips the blocks whose values all come too late.
  /// The rows must be ascending.
  func top(
    _ count: Int, of rows: [ObjectNumber], _ reader: any ObjectReader
  ) -> [ObjectNumber]? {
    guard let key = keys.first, count > 0, count <= TopRows.largest, count < rows.count / 16,
      key.path.steps.count == 1, key.path.steps[0].places.isEmpty,
      case .property(let property) = key.path.steps[0].kind,
      let found = reader.schema.classSchema(key.path.root)?.property(property),
      found.type.element.hasColumnTests
    else { return nil }
    var top = TopRows(
      count: count, isAscending: key.isAscending,
      isWhole: keys.count == 1 && found.type.element.hasExactRanks)
    var start = 0
    while start < rows.count, !reader.isInterrupted {
      let block = rows[start] / blockSize
      var mask = BlockMask.zero
      while start < rows.count, rows[start] / blockSize == block {
        // Rows that are not ascending, or are there twice, have no place in a mask.
        guard start == 0 || rows[start - 1] < rows[start] else { return nil }
        mask.insert(rows[start] % blockSize)
        start += 1
      }
      if !found.type.isOptional,
        let extremes = reader.extremes(property, of: key.path.root, block: block),
        top.isBeyond(extremes)
      {
        continue
      }
      top.take(reader.column(property, of: key.path.root, block: block), block, mask)
    }
    return top.rows
  }
}

extension ElementType {
  /// Whether equal ranks mean equal values.
  fileprivate var hasExactRanks: Bool {
    switch self {
    case .bool, .int, .float, .double, .link: true
    case .string, .data, .date, .decimal, .uuid, .objectID, .any: false
    }
  }
}

/// Rows and the ranks of their first key, of which only the best are kept.
private struct TopRows {
  /// More are better sorted.
  static let largest = 4096

  private let count: Int
  private let isAscending: Bool
  /// Whether rows of equal rank are equal, so that the earlier ones win.
  private let isWhole: Bool
  private var ranks: [UInt64] = []
  private var numbers: [ObjectNumber] = []
  /// No row of a greater rank is wanted any more.
  private var threshold = UInt64.max
  private var isFull = false
  /// How many rows are kept before those that come too late are forgotten.
  private var patience: Int

  init(count: Int, isAscending: Bool, isWhole: Bool) {
    patience = max(4 * count, 1024)
    self.count = count
    self.isAscending = isAscending
    self.isWhole = isWhole
  }

  var rows: [ObjectNumber] {
    var kept = self
    kept.compact()
    return kept.numbers
  }

  private func isTooLate(_ rank: UInt64) -> Bool {
    isFull && (isWhole ? rank >= threshold : rank > threshold)
  }

  /// Whether every value of a block without nil comes too late.
  func isBeyond(_ extremes: ColumnExtremes) -> Bool {
    switch extremes {
    case .integers(let least, let greatest):
      isTooLate(isAscending ? least.sortRank : ~greatest.sortRank)
    case .doubles(let least, let greatest):
      isTooLate(isAscending ? least.sortRank : ~greatest.sortRank)
    case .none: false
    }
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
      // Nil has the first rank of all: what shares it must not win by coming earlier.
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
    if numbers.count >= patience { compact() }
  }

  /// Forgets the rows that come after `count` others.
  private mutating func compact() {
    guard numbers.count > count else { return }
    threshold = ranks.selected(count - 1)
    isFull = true
    var kept = 0
    for place in numbers.indices where ranks[place] <= threshold {
      ranks[kept] = ranks[place]
      numbers[kept] = numbers[place]
      kept += 1
    }
    ranks.removeLast(ranks.count - kept)
    numbers.removeLast(numbers.count - kept)
    // Rows of one rank stay however many they are: to look through them often would take long.
    patience = max(patience, 2 * kept)
  }
}
