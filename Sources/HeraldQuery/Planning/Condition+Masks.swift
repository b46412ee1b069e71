import HeraldModel

extension Condition {
  /// The objects of a block that match, out of `candidates`: by columns where a column can tell,
  /// object by object for those that are left.
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
      // One row can take long: it may ask about the objects of other rows.
      for bit in BlockBits(candidates) where !reader.isInterrupted {
        let object = ObjectID(classID, block * blockSize + bit)
        if matches(Scope(reader: reader, root: object)) { found.insert(bit) }
      }
      return found
    }
  }
}
