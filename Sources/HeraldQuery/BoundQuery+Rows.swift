package import HeraldModel

extension BoundQuery {
  /// The rows of the question over all objects of its class, in their order.
  package func rows(_ reader: any ObjectReader) -> [ObjectNumber] {
    var numbers: [ObjectNumber] = []
    if let found = indexedNumbers(reader) {
      numbers = found
    } else {
      forEachBlock(reader) { block, mask in
        for bit in BlockBits(mask) { numbers.append(block * blockSize + bit) }
      }
    }
    return apply(stages[...], to: numbers, reader)
  }

  /// The rows out of a collection's objects, in its order, an object as often as it is there.
  package func rows(among objects: [ObjectNumber], _ reader: any ObjectReader) -> [ObjectNumber] {
    let matching =
      predicate.isAlways ? objects : objects.filter { predicate.matches($0, reader) }
    return apply(stages[...], to: matching, reader)
  }

  /// The number of rows, without making them where no stage needs it.
  package func count(_ reader: any ObjectReader) -> Int {
    var limit = Int.max
    for stage in stages {
      switch stage {
      case .sort: break
      case .limit(let count): limit = min(limit, count)
      case .distinct, .filter: return rows(reader).count
      }
    }
    if predicate.isAlways { return min(limit, reader.objectCount(of: classID)) }
    if let found = indexedNumbers(reader) { return min(limit, found.count) }
    var total = 0
    forEachBlock(reader) { _, mask in total += mask.bitCount }
    return min(limit, total)
  }

  /// The objects that match the predicate, as one mask a block; the stages have no part in it.
  package func members(_ reader: any ObjectReader) -> [BlockMask] {
    var masks = [BlockMask](repeating: .zero, count: reader.blockCount(of: classID))
    if let found = indexedNumbers(reader) {
      for number in found where number / blockSize < masks.count {
        masks[number / blockSize].insert(number % blockSize)
      }
    } else {
      forEachBlock(reader) { block, mask in masks[block] = mask }
    }
    return masks
  }

  private func forEachBlock(_ reader: any ObjectReader, _ body: (Int, BlockMask) -> Void) {
    for block in 0..<reader.blockCount(of: classID) {
      let presence = reader.presence(of: classID, block: block)
      let mask =
        predicate.isAlways
        ? presence
        : predicate.condition.select(presence, of: classID, block: block, reader)
      if !mask.isEmpty { body(block, mask) }
    }
  }

  /// The matching objects by way of an index, ascending; nil where no index helps.
  private func indexedNumbers(_ reader: any ObjectReader) -> [ObjectNumber]? {
    guard let lookup = predicate.condition.indexedConjunct else { return nil }
    var found: [ObjectNumber] = []
    for value in lookup.values {
      guard let numbers = reader.indexed(lookup.property, of: classID, equals: value) else {
        return nil
      }
      found += numbers
    }
    if lookup.values.count > 1 { found = Array(Set(found)).sorted() }
    return found.filter { predicate.matches($0, reader) }
  }

  // MARK: Stages

  private func apply(
    _ stages: ArraySlice<QueryStage>, to rows: [ObjectNumber], _ reader: any ObjectReader
  ) -> [ObjectNumber] {
    guard let stage = stages.first else { return rows }
    let rest = stages.dropFirst()
    switch stage {
    case .limit(let count): return apply(rest, to: Array(rows.prefix(count)), reader)
    case .distinct(let paths): return apply(rest, to: distinct(rows, paths, reader), reader)
    case .filter(let predicate):
      return apply(rest, to: rows.filter { predicate.matches($0, reader) }, reader)
    case .sort(let order):
      // Only the first rows of the sorted ones are wanted where a limit follows.
      if case .limit(let count)? = rest.first {
        return apply(
          rest.dropFirst(), to: order.sorted(rows, reader, prefix: count), reader)
      }
      return apply(rest, to: order.sorted(rows, reader), reader)
    }
  }

  /// The first row of each group of equals.
  private func distinct(
    _ rows: [ObjectNumber], _ paths: [PropertyPath], _ reader: any ObjectReader
  ) -> [ObjectNumber] {
    if paths.count == 1 {
      var seen: Set<Value> = []
      return rows.filter { seen.insert(value(at: paths[0], of: $0, reader).groupKey).inserted }
    }
    var seen: Set<[Value]> = []
    return rows.filter { row in
      seen.insert(paths.map { value(at: $0, of: row, reader).groupKey }).inserted
    }
  }
}
