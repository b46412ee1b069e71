import HeraldModel

/// The values of one sort key for every row, as ranks.
final class SortColumn {
  /// 64-bit ranks that order as the values do; undefined where the value is nil.
  private(set) var ranks: [UInt64] = []
  /// Whether each row's value is nil; nil if no value is.
  private(set) var isNull: [Bool]?
  /// The full values, if ranks are inexact: in one of the two arrays, or in neither. They may be shorter
  /// than the rows, if the last rows are nil.
  private var strings: [String] = []
  private var values: [Value] = []
  /// Whether equal ranks mean equal values.
  private(set) var isExact = true
  /// What is read by blocks; nil for values that were read object by object.
  private var blocks: BlockRanksReading?
  private var next: BlockRanksReading.Ranks?

  init(_ key: SortOrder.Key, _ rows: [ObjectNumber], _ reader: any ObjectReader) {
    let path = key.path
    let isAscending = rows.withUnsafeBufferPointer { rows in
      (1..<max(rows.count, 1)).allSatisfy { rows[$0 - 1] < rows[$0] }
    }
    let isMixed = key.expression?.isMixed ?? path.mayEnd(inAnyOf: reader.schema)
    if key.measure != nil {
      readRows(key, rows, reader)
      isExact = strings.isEmpty && values.isEmpty
    } else if isMixed {
      readMixed(key, rows, reader)
    } else if let property = path.propertyOfRoot, isAscending,
      let found = reader.schema.classSchema(path.root)?.property(property),
      found.type.element.hasColumnTests
    {
      let blocks = BlockRanksReading(property, of: path.root, rows, reader)
      let first = blocks.ranks(at: 0)
      (ranks, isNull, isExact) = (first.ranks, first.isNull, first.isExact)
      self.blocks = blocks
    } else {
      readRows(key, rows, reader)
      isExact = strings.isEmpty && values.isEmpty
    }
  }

  /// Returns the ranks of what follows the first `depth` ranks of each value; nil if it is compared by value.
  func ranks(at depth: Int) -> BlockRanksReading.Ranks? {
    guard depth == 1, let blocks else { return nil }
    if let next { return next }
    let ranks = blocks.ranks(at: 1)
    next = ranks
    return ranks
  }

  /// Reads the values of what was read by blocks.
  private func readValues() {
    guard let blocks else { return }
    self.blocks = nil
    readBlocks(blocks.property, of: blocks.classID, blocks.rows, blocks.reader)
  }

  /// Compares the values of two rows with equal ranks, neither of them nil.
  func order(_ a: Int, _ b: Int) -> Int {
    readValues()
    // After an interruption there are fewer values.
    if max(a, b) < strings.count { return strings[a].byteOrder(strings[b]) }
    return max(a, b) < values.count ? Value.order(values[a], values[b]) : 0
  }

  /// Returns whether any of the rows' strings is longer than `offset` bytes.
  func hasBytes(from offset: Int, _ entries: some Sequence<SortEntry>) -> Bool {
    readValues()
    return entries.contains {
      Int($0.slot) < strings.count && strings[Int($0.slot)].utf8.count > offset
    }
  }

  /// Returns eight bytes of a row's string as a rank, padded with zeros.
  func rank(_ row: Int, from offset: Int) -> UInt64 {
    row < strings.count ? strings[row].eightBytes(from: offset) : 0
  }

  /// Reads the values of whole blocks, for rows in the order of creation.
  private func readBlocks(
    _ property: PropertyID, of classID: ClassID, _ rows: [ObjectNumber], _ reader: any ObjectReader
  ) {
    var start = 0
    while start < rows.count, !reader.isInterrupted {
      let block = rows[start] / blockSize
      var end = start + 1
      while end < rows.count, rows[end] / blockSize == block { end += 1 }
      let bits = rows[start..<end].lazy.map { $0 % blockSize }
      switch reader.column(property, of: classID, block: block) {
      case .integers, .doubles: break
      case .dates(let values, _): self.values += bits.map { .date(values[$0]) }
      case .strings(let values, _): strings += bits.map { values[$0] }
      case .data(let values, _): self.values += bits.map { .data(values[$0]) }
      }
      start = end
    }
  }

  /// Reads object by object.
  private func readRows(
    _ key: SortOrder.Key, _ rows: [ObjectNumber], _ reader: any ObjectReader
  ) {
    for (row, number) in rows.enumerated() {
      if row % 1024 == 0, reader.isInterrupted { return }
      let value = key.value(of: number, reader)
      switch value {
      case .null:
        ranks.append(0)
        noteNull(row, count: rows.count)
      case .bool(let value): ranks.append((value ? 1 : 0).sortRank)
      case .int(let value): ranks.append(value.sortRank)
      case .float(let value): ranks.append(Double(value).sortRank)
      case .double(let value): ranks.append(value.sortRank)
      case .link(let object): ranks.append(object.number.sortRank)
      case .date(let date): ranks.append(date.seconds.sortRank)
      case .string(let text): ranks.append(text.sortRank)
      case .data(let bytes): ranks.append(bytes.sortRank)
      // Rounding is monotonic; the values break ties between equal ranks.
      case .decimal(let value): ranks.append(Double(value).sortRank)
      case .uuid(let value): ranks.append(value.bits.high)
      case .objectID(let value): ranks.append(value.bits.high)
      case .list, .map: ranks.append(0)
      }
      switch value {
      case .string(let text):
        while strings.count < row { strings.append("") }
        strings.append(text)
      case .date, .data, .decimal, .uuid, .objectID, .list, .map:
        while values.count < row { values.append(.null) }
        values.append(value)
      case .null, .bool, .int, .float, .double, .link: break
      }
    }
  }

  /// Reads values of mixed types object by object; ranks are those of the types.
  private func readMixed(
    _ key: SortOrder.Key, _ rows: [ObjectNumber], _ reader: any ObjectReader
  ) {
    values.reserveCapacity(rows.count)
    isExact = rows.isEmpty
    for (row, number) in rows.enumerated() {
      if row % 1024 == 0, reader.isInterrupted { return }
      let value = key.value(of: number, reader)
      ranks.append(UInt64(value.typeRank))
      values.append(value)
      if value.isNull { noteNull(row, count: rows.count) }
    }
  }

  // MARK: Noting

  private func noteNull(_ row: Int, count: Int) {
    if isNull == nil { isNull = [Bool](repeating: false, count: count) }
    isNull?[row] = true
  }
}

extension PropertyPath {
  /// Returns whether the values at the end may have different types.
  fileprivate func mayEnd(inAnyOf schema: Schema) -> Bool {
    guard let last = steps.last, case .property(let id) = last.kind else { return false }
    return schema.classSchema(last.classID)?.property(id)?.type.element == .any
  }
}
