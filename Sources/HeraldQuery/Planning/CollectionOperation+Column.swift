import HeraldModel

extension CollectionOperation {
  /// Returns the result over one column of a whole class, read block by block; nil for any other path, or
  /// for values that are not numbers.
  func applyToColumn(
    at path: OperandPath, of element: ElementType, _ reader: any ObjectReader
  ) -> Value? {
    guard case .extent(let classID) = path.start, path.hops.count == 1,
      case .single(let property) = path.hops[0].kind
    else { return nil }
    switch element {
    case .int, .double: break
    case .bool, .float, .string, .data, .date, .decimal, .uuid, .objectID, .any, .link: return nil
    }
    switch self {
    case .count: return nil
    case .min, .max: return extreme(of: property, of: classID, reader)
    case .sum, .average:
      var total = ExactSum(of: element)
      for block in 0..<reader.blockCount(of: classID) where !reader.isInterrupted {
        if let part = reader.integerSum(
          property, of: classID, block: block, among: .everything)
        {
          total.add(part)
          continue
        }
        switch reader.column(property, of: classID, block: block) {
        case .integers(let values, let nulls): total.add(values, rows: ~nulls)
        case .doubles(let values, let nulls): total.add(values, rows: ~nulls)
        case .dates, .strings, .data: return nil
        }
      }
      return self == .sum ? total.sum : total.average
    }
  }

  /// Returns `@min` or `@max`, from the zones of blocks where they are known.
  func extreme(
    of property: PropertyID, of classID: ClassID, _ reader: any ObjectReader
  ) -> Value? {
    var best = Value.null
    let wanted = self == .min ? -1 : 1
    func take(_ value: Value) {
      if best.isNull || Value.order(value, best).signum() == wanted { best = value }
    }
    for block in 0..<reader.blockCount(of: classID) where !reader.isInterrupted {
      switch reader.extremes(property, of: classID, block: block) {
      case ColumnExtremes.none?: continue
      case .integers(let smallest, let largest)?: take(.int(self == .min ? smallest : largest))
      case .doubles(let smallest, let largest)?: take(.double(self == .min ? smallest : largest))
      case nil:
        switch reader.column(property, of: classID, block: block) {
        case .integers(let values, let nulls):
          for bit in BlockBits(~nulls) { take(.int(values[bit])) }
        case .doubles(let values, let nulls):
          for bit in BlockBits(~nulls) where !values[bit].isNaN { take(.double(values[bit])) }
        case .dates, .strings, .data: return nil
        }
      }
    }
    return best
  }
}
