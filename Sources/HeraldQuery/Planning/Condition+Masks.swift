import HeraldModel

extension Condition {
  /// Returns the objects of `candidates` in a block that match: tests whole columns where possible, and
  /// the remaining objects one by one.
  func select(
    _ candidates: BlockMask, of classID: ClassID, block: Int, _ reader: any ObjectReader
  ) -> BlockMask {
    if candidates.isEmpty { return candidates }
    switch self {
    case .constant(let value): return value ? candidates : .zero
    case .column(let column):
      return reader.select(
        column.test, property: column.property, of: classID, block: block, within: candidates)
    case .all(let parts):
      var rest = candidates
      for part in parts {
        rest = part.select(rest, of: classID, block: block, reader)
        if rest.isEmpty { break }
      }
      return rest
    case .any(let parts):
      var found = BlockMask.zero
      for part in parts {
        found |= part.select(candidates & ~found, of: classID, block: block, reader)
        if found == candidates { break }
      }
      return found
    case .not(let inner):
      return candidates & ~inner.select(candidates, of: classID, block: block, reader)
    case .values, .pair, .function:
      var found = BlockMask.zero
      // One row can take long: its condition may read many other objects.
      for bit in BlockBits(candidates) where !reader.isInterrupted {
        let object = ObjectID(classID, block * blockSize + bit)
        if matches(EvaluationScope(reader: reader, root: object)) { found.insert(bit) }
      }
      return found
    }
  }
}
