import HeraldModel

/// The ranks of one property of many objects, read block by block, by several threads where there are many.
final class BlockRanksReading {
  let property: PropertyID
  let classID: ClassID
  /// Ascending.
  let rows: [ObjectNumber]
  let reader: any ObjectReader
  /// The index of the first row of each block that has any, and the number of rows.
  private let starts: [Int]

  struct Ranks {
    let ranks: [UInt64]
    /// Whether each row's value is nil; nil if no value is.
    let isNull: [Bool]?
    let isExact: Bool
  }

  /// From this number of rows on, several threads read.
  private static let manyRows = 100_000
  /// How many blocks a thread reads at once.
  private let blocksOfPart: Int

  init(
    _ property: PropertyID, of classID: ClassID, _ rows: [ObjectNumber], _ reader: any ObjectReader
  ) {
    self.property = property
    self.classID = classID
    self.rows = rows
    self.reader = reader
    starts = rows.withUnsafeBufferPointer { rows in
      var starts: [Int] = []
      var block = -1
      for (index, row) in rows.enumerated() where row >> 8 != block {
        block = row >> 8
        starts.append(index)
      }
      starts.append(rows.count)
      return starts
    }
    blocksOfPart = rows.count < Self.manyRows ? max(1, starts.count - 1) : 64
  }

  /// Returns the ranks of what follows the first `depth` ranks of each value. If the reader is interrupted they are
  /// incomplete.
  func ranks(at depth: Int) -> Ranks {
    var isExact = true
    var isNull: [Bool]? = nil
    let count = rows.count
    let ranks = [UInt64](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      LargePages.request(buffer.baseAddress, byteCount: count * MemoryLayout<UInt64>.stride)
      buffer.initialize(repeating: 0)
      initializedCount = count
      let parts = (starts.count - 1 + blocksOfPart - 1) / blocksOfPart
      var inexact = [Bool](repeating: false, count: parts)
      var nulls = [Bool](repeating: false, count: count)
      var hasNulls = [Bool](repeating: false, count: parts)
      inexact.withUnsafeMutableBufferPointer { inexact in
        nulls.withUnsafeMutableBufferPointer { nulls in
          hasNulls.withUnsafeMutableBufferPointer { hasNulls in
            read(
              parts, depth,
              Target(ranks: buffer, nulls: nulls, inexact: inexact, hasNulls: hasNulls))
          }
        }
      }
      isExact = !inexact.contains(true)
      if hasNulls.contains(true) { isNull = nulls }
    }
    return Ranks(ranks: ranks, isNull: isNull, isExact: isExact)
  }

  /// Where the ranks are written.
  ///
  /// `@unchecked Sendable`: each part has elements of its own.
  private struct Target: @unchecked Sendable {
    let ranks: UnsafeMutableBufferPointer<UInt64>
    let nulls: UnsafeMutableBufferPointer<Bool>
    let inexact: UnsafeMutableBufferPointer<Bool>
    let hasNulls: UnsafeMutableBufferPointer<Bool>
  }

  private func read(_ parts: Int, _ depth: Int, _ target: Target) {
    let (rows, starts, property, classID) = (rows, starts, property, classID)
    let blocksOfPart = blocksOfPart
    reader.readConcurrently(parts) { part, reader in
      withUnsafeTemporaryAllocation(of: UInt64.self, capacity: blockSize) { block in
        let first = part * blocksOfPart
        for index in first..<min(first + blocksOfPart, starts.count - 1) {
          if reader.isInterrupted { return }
          let run = starts[index]..<starts[index + 1]
          let isWhole = run.count == blockSize
          let ranks =
            isWhole ? UnsafeMutableBufferPointer(rebasing: target.ranks[run]) : block
          let found = reader.ranks(
            property, of: classID, block: rows[run.lowerBound] / blockSize, depth: depth,
            into: ranks)
          if !found.isExact { target.inexact[part] = true }
          if !isWhole {
            for row in run { target.ranks[row] = ranks[rows[row] % blockSize] }
          }
          if found.nulls.isEmpty { continue }
          for row in run where found.nulls.contains(rows[row] % blockSize) {
            target.nulls[row] = true
            target.hasNulls[part] = true
          }
        }
      }
    }
  }
}

extension ColumnValues {
  /// Writes the ranks at a depth of 256 values.
  package func writeRanks(
    at depth: Int, into ranks: UnsafeMutableBufferPointer<UInt64>
  ) -> BlockRanks {
    switch self {
    case .integers(let values, let nulls):
      for (row, value) in values.enumerated() { ranks[row] = value.sortRank }
      return BlockRanks(nulls: nulls, isExact: true)
    case .doubles(let values, let nulls):
      for (row, value) in values.enumerated() { ranks[row] = value.sortRank }
      return BlockRanks(nulls: nulls, isExact: true)
    case .dates(let values, let nulls):
      var isExact = true
      for (row, value) in values.enumerated() {
        ranks[row] = depth == 0 ? value.seconds.sortRank : Int(value.nanoseconds).sortRank
        if depth == 0, value.nanoseconds != 0 { isExact = false }
      }
      return BlockRanks(nulls: nulls, isExact: isExact)
    case .strings(let values, let nulls):
      var isExact = true
      for (row, value) in values.enumerated() {
        var value = value
        let rank = value.withUTF8 { ByteRank(UnsafeRawBufferPointer($0), from: 8 * depth) }
        ranks[row] = rank.rank
        if !rank.isExact { isExact = false }
      }
      return BlockRanks(nulls: nulls, isExact: isExact)
    case .data(let values, let nulls):
      var isExact = true
      for (row, value) in values.enumerated() {
        let rank = value.withUnsafeBytes { ByteRank($0, from: 8 * depth) }
        ranks[row] = rank.rank
        if !rank.isExact { isExact = false }
      }
      return BlockRanks(nulls: nulls, isExact: isExact)
    }
  }
}
