package import HeraldModel
package import HeraldQuery
import HeraldStorage

extension TransactionReader {
  package func select(
    _ test: ColumnTest, property: PropertyID, of classID: ClassID, block: Int,
    within candidates: BlockMask
  ) -> BlockMask {
    guard let column = layout.column(property, of: classID) else { return .zero }
    return storage.select(test, column.id, block: block, within: candidates)
  }

  package func isDecided(
    _ test: ColumnTest, property: PropertyID, of classID: ClassID, block: Int
  ) -> Bool {
    guard let column = layout.column(property, of: classID) else { return true }
    return storage.isDecided(test, column.id, block: block)
  }

  package func withNumbers(
    _ property: PropertyID, of classID: ClassID, block: Int, _ body: (StoredBlock) -> Void
  ) {
    guard let column = layout.column(property, of: classID) else { return body(.nothing) }
    storage.withNumbers(column.id, column.kind, block: block, body)
  }

  package func ranks(
    _ property: PropertyID, of classID: ClassID, block: Int, depth: Int,
    into ranks: UnsafeMutableBufferPointer<UInt64>
  ) -> BlockRanks {
    guard let column = layout.column(property, of: classID), column.kind == .bytes else {
      return self.column(property, of: classID, block: block).writeRanks(at: depth, into: ranks)
    }
    var nulls = BlockMask.zero
    var isExact = true
    storage.forEachBytes(column.id, block: block) { row, bytes in
      guard let bytes else {
        nulls.insert(row)
        ranks[row] = 0
        return
      }
      let rank = ByteRank(bytes, from: 8 * depth)
      ranks[row] = rank.rank
      if !rank.isExact { isExact = false }
    }
    return BlockRanks(nulls: nulls, isExact: isExact)
  }

  package func column(
    _ property: PropertyID, of classID: ClassID, block: Int
  ) -> ColumnValues {
    guard let column = layout.column(property, of: classID) else {
      return .integers([Int](repeating: 0, count: blockSize), nulls: .everything)
    }
    switch column.kind {
    case .integers:
      var values: [Int] = []
      let nulls = storage.readIntegers(column.id, block: block, into: &values)
      return .integers(values, nulls: nulls)
    case .doubles, .floats:
      var values: [Double] = []
      let nulls = storage.readDoubles(column.id, block: block, into: &values)
      return .doubles(values, nulls: nulls)
    case .dates:
      var values: [Timestamp] = []
      let nulls = storage.readDates(column.id, block: block, into: &values)
      return .dates(values, nulls: nulls)
    case .bytes: return bytesColumn(column, block: block)
    }
  }

  package func storedBlock(
    _ property: PropertyID, of classID: ClassID, block: Int
  ) -> StoredBlock? {
    guard let column = layout.column(property, of: classID) else { return .nothing }
    return storage.storedBlock(column.id, column.kind, block: block)
  }

  private func bytesColumn(_ column: Layout.Column, block: Int) -> ColumnValues {
    var nulls = BlockMask.zero
    if column.element == .data {
      var values = [[UInt8]](repeating: [], count: blockSize)
      storage.forEachBytes(column.id, block: block) { row, bytes in
        if let bytes { values[row] = Array(bytes) } else { nulls.insert(row) }
      }
      return .data(values, nulls: nulls)
    }
    var values = [String](repeating: "", count: blockSize)
    storage.forEachBytes(column.id, block: block) { row, bytes in
      if let bytes {
        values[row] = String(decoding: bytes, as: UTF8.self)
      } else {
        nulls.insert(row)
      }
    }
    return .strings(values, nulls: nulls)
  }
}
