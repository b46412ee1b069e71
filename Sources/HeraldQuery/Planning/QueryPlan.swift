import HeraldModel

/// The plan for the predicate of a query, at one version of a store; its stages are applied afterwards.
struct QueryPlan {
  let query: BoundQuery
  let candidates: CandidateObjects

  init(_ query: BoundQuery, _ reader: any ObjectReader) {
    self.query = query
    let planner = Planner(query.classID, reader)
    candidates = planner.access(for: query.predicate.condition)
  }

  var access: Access { candidates.access }

  /// The estimated time to find the objects, in nanoseconds.
  var cost: Int {
    switch access {
    case .nothing: 0
    case .everything: candidates.count
    case .scan: candidates.count * query.predicate.condition.scanCost
    case .index, .union, .links: candidates.count * 40
    }
  }

  /// Returns the objects, ascending.
  func rows(_ reader: any ObjectReader) -> [ObjectNumber] {
    var numbers: [ObjectNumber] = []
    if case .everything = access { numbers = Array(inLargePages: candidates.count) }
    forEachBlock(reader) { block, mask in
      let first = block * blockSize
      if mask == .everything {
        numbers.append(contentsOf: first..<first + blockSize)
      } else {
        for bit in BlockBits(mask) { numbers.append(first + bit) }
      }
    }
    return numbers
  }

  private struct IsComplete: Error {}

  /// Returns the first `prefix` objects, ascending, and perhaps some that follow them; reads no block behind these.
  func rows(_ reader: any ObjectReader, prefix: Int) -> [ObjectNumber] {
    var numbers: [ObjectNumber] = []
    if prefix == 0 { return numbers }
    try? forEachBlock(reader, isWhole: false) { block, mask in
      for bit in BlockBits(mask) { numbers.append(block * blockSize + bit) }
      if numbers.count >= prefix { throw IsComplete() }
    }
    return numbers
  }

  func count(_ reader: any ObjectReader) -> Int {
    switch access {
    case .nothing: return 0
    case .everything: return candidates.count
    case .index(let lookup) where lookup.isExact: return candidates.count
    case .scan, .index, .union, .links:
      var total = 0
      forEachBlock(reader) { _, mask in total += mask.bitCount }
      return total
    }
  }

  /// Calls `body` with each block that contains a match, ascending.
  ///
  /// - Parameter isWhole: Whether every block is wanted, so that all of many may be scanned before the first call.
  func forEachBlock(
    _ reader: any ObjectReader, isWhole: Bool = true, _ body: (Int, BlockMask) throws -> Void
  ) rethrows {
    let classID = query.classID
    switch access {
    case .nothing: break
    case .everything:
      for block in 0..<reader.blockCount(of: classID) where !reader.isInterrupted {
        let mask = reader.presence(of: classID, block: block)
        if !mask.isEmpty { try body(block, mask) }
      }
    case .scan: try scan(reader, isWhole: isWhole, body)
    case .index, .union, .links:
      let numbers = access.numbers(of: classID, reader)
      try forEachBlock(of: numbers, reader) { block, mask in
        let matching = access.isExact ? mask : test(mask, block, reader)
        if !matching.isEmpty { try body(block, matching) }
      }
    }
  }

  /// From this number of blocks on, 100,000 objects, several threads scan,
  private static let manyBlocks = 391
  /// if that many comparisons of a block are to be made: some milliseconds. Their transactions find each block anew.
  private static let muchWork = 10_000
  /// How many blocks a thread scans at once.
  private static let blocksOfPart = 32

  private func scan(
    _ reader: any ObjectReader, isWhole: Bool, _ body: (Int, BlockMask) throws -> Void
  ) rethrows {
    let classID = query.classID
    let condition = query.predicate.condition.joined(of: classID, reader)
    let blockCount = reader.blockCount(of: classID)
    if isWhole, blockCount >= Self.manyBlocks,
      condition.cost >= Self.muchWork / blockCount
    {
      let masks = Self.scan(condition, of: classID, blockCount, reader)
      for (block, mask) in masks.enumerated() where !mask.isEmpty && !reader.isInterrupted {
        try body(block, mask)
      }
      return
    }
    let readsPresence = condition.mayAcceptAbsent
    for block in 0..<blockCount where !reader.isInterrupted {
      let mask = condition.matches(in: block, of: classID, readsPresence, reader)
      if !mask.isEmpty { try body(block, mask) }
    }
  }

  /// Returns the matching objects of each block, which several threads find.
  private static func scan(
    _ condition: Condition, of classID: ClassID, _ blockCount: Int, _ reader: any ObjectReader
  ) -> [BlockMask] {
    [BlockMask](unsafeUninitializedCapacity: blockCount) { buffer, initializedCount in
      buffer.initialize(repeating: .zero)
      initializedCount = blockCount
      // Each part has elements of its own.
      nonisolated(unsafe) let masks = buffer
      let readsPresence = condition.mayAcceptAbsent
      reader.readConcurrently((blockCount + blocksOfPart - 1) / blocksOfPart) { part, reader in
        let first = part * blocksOfPart
        for block in first..<min(first + blocksOfPart, blockCount) where !reader.isInterrupted {
          masks[block] = condition.matches(in: block, of: classID, readsPresence, reader)
        }
      }
    }
  }

  /// Returns the matching objects among a few of a block.
  private func test(_ mask: BlockMask, _ block: Int, _ reader: any ObjectReader) -> BlockMask {
    let condition = query.predicate.condition
    if mask.bitCount > 8 {
      return condition.select(mask, of: query.classID, block: block, reader)
    }
    var matching = mask
    for bit in BlockBits(mask) {
      let object = ObjectID(query.classID, block * blockSize + bit)
      if !condition.matches(EvaluationScope(reader: reader, root: object)) { matching.remove(bit) }
    }
    return matching
  }

  /// Groups numbers in any order by block; calls `body` with the mask of each block.
  private func forEachBlock(
    of numbers: [ObjectNumber], _ reader: any ObjectReader, _ body: (Int, BlockMask) throws -> Void
  ) rethrows {
    let blockCount = reader.blockCount(of: query.classID)
    guard numbers.count < blockCount else {
      var masks = [BlockMask](repeating: .zero, count: blockCount)
      for number in numbers where number / blockSize < blockCount {
        masks[number / blockSize].insert(number % blockSize)
      }
      for (block, mask) in masks.enumerated() where !mask.isEmpty && !reader.isInterrupted {
        try body(block, mask)
      }
      return
    }
    let sorted = numbers.count < 2 ? numbers : numbers.sorted()
    var start = 0
    while start < sorted.count, !reader.isInterrupted {
      let block = sorted[start] / blockSize
      var mask = BlockMask.zero
      while start < sorted.count, sorted[start] / blockSize == block {
        mask.insert(sorted[start] % blockSize)
        start += 1
      }
      try body(block, mask)
    }
  }
}

extension Condition {
  /// Returns the objects of a block that match. `readsPresence`: whether the condition may hold for absent objects,
  /// which read as nil: a test that is false for nil excludes them.
  fileprivate func matches(
    in block: Int, of classID: ClassID, _ readsPresence: Bool, _ reader: any ObjectReader
  ) -> BlockMask {
    let presence = readsPresence ? reader.presence(of: classID, block: block) : .everything
    return select(presence, of: classID, block: block, reader)
  }
}
