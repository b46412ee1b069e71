package import HeraldModel

extension BoundQuery {
  /// Returns the rows of the query over all objects of its class, in order.
  package func rows(_ reader: any ObjectReader) -> [ObjectNumber] {
    let plan = QueryPlan(self, reader)
    if case .sort(let order)? = stages.first, let prefix = stages.dropFirst().neededPrefix,
      let rows = order.top(prefix, of: plan, reader)
    {
      return apply(stages[...], to: rows, reader)
    }
    if let prefix = stages[...].neededPrefix {
      return apply(stages[...], to: plan.rows(reader, prefix: prefix), reader)
    }
    return apply(stages[...], to: plan.rows(reader), reader)
  }

  /// Returns the rows among a collection's objects, in its order, including duplicates.
  package func rows(among objects: [ObjectNumber], _ reader: any ObjectReader) -> [ObjectNumber] {
    let matching =
      predicate.isAlways
      ? objects : objects.filter { !reader.isInterrupted && predicate.matches($0, reader) }
    return apply(stages[...], to: matching, reader)
  }

  /// Returns the number of rows, without materializing them unless a stage requires it.
  package func count(_ reader: any ObjectReader) -> Int {
    // Whether it depends on the rows is the same for every number of them.
    guard stages.allSatisfy({ $0.count(of: 0) != nil }) else { return rows(reader).count }
    let total =
      predicate.isAlways ? reader.objectCount(of: classID) : QueryPlan(self, reader).count(reader)
    return stages.reduce(total) { $1.count(of: $0) ?? $0 }
  }

  /// Returns the objects that match the predicate, as one mask per block. Ignores the stages.
  package func members(_ reader: any ObjectReader) -> [BlockMask] {
    var masks = [BlockMask](repeating: .zero, count: reader.blockCount(of: classID))
    QueryPlan(self, reader).forEachBlock(reader) { block, mask in
      masks[block] = mask
    }
    return masks
  }

  // MARK: Stages

  private func apply(
    _ stages: ArraySlice<QueryStage>, to rows: [ObjectNumber], _ reader: any ObjectReader
  ) -> [ObjectNumber] {
    var rest = stages
    var rows = rows
    while !rest.isEmpty, !reader.isInterrupted { rows = applyFirst(of: &rest, to: rows, reader) }
    return rows
  }

  /// Applies the first stage to rows, or the first two at once for a sort with a limit; removes them
  /// from `stages`.
  func applyFirst(
    of stages: inout ArraySlice<QueryStage>, to rows: [ObjectNumber], _ reader: any ObjectReader
  ) -> [ObjectNumber] {
    guard let stage = stages.popFirst() else { return rows }
    // A limit after a sort, or after its offset, needs only the first rows in order.
    guard case .sort(let order) = stage, let prefix = stages.neededPrefix else {
      return stage.apply(to: rows, reader)
    }
    var skipped = 0
    if case .offset(let count)? = stages.first {
      skipped = count
      stages.removeFirst()
    }
    stages.removeFirst()
    return Array(order.sorted(rows, reader, prefix: prefix).dropFirst(skipped))
  }
}

extension ArraySlice<QueryStage> {
  /// The number of rows that these stages need of what is before them; nil without a limit.
  fileprivate var neededPrefix: Int? {
    if case .limit(let count)? = first { return count }
    guard case .offset(let skipped)? = first, case .limit(let count)? = dropFirst().first else {
      return nil
    }
    let (prefix, isTooLarge) = skipped.addingReportingOverflow(count)
    return isTooLarge ? .max : prefix
  }
}

extension BoundQuery {
  /// Returns rows of the query, whose last stage is the order of its sections, by the values of that order's key. O(rows).
  package func sections(
    of rows: [ObjectNumber], _ reader: any ObjectReader
  ) -> [(key: Value, rows: [ObjectNumber])] {
    guard let key = sortOrders.last?.keys.first else { return [] }
    var sections: [(key: Value, rows: [ObjectNumber])] = []
    for row in rows {
      if reader.isInterrupted { return [] }
      let value = key.value(of: row, reader)
      if let last = sections.last, Value.order(last.key, value) == 0 {
        sections[sections.count - 1].rows.append(row)
      } else {
        sections.append((value, [row]))
      }
    }
    return sections
  }
}
