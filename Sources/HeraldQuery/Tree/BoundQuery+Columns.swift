package import HeraldModel

extension BoundQuery {
  /// Calls `body` with each block that has matching objects, ascending. Ignores the stages.
  package func forEachBlock(
    _ reader: any ObjectReader, _ body: (_ block: Int, _ rows: BlockMask) throws -> Void
  ) rethrows {
    try QueryPlan(self, reader).forEachBlock(reader, body)
  }

  private struct Found: Error { let row: ObjectNumber }

  /// Returns the first row; without a sort, reads no further than to that.
  package func first(_ reader: any ObjectReader) -> ObjectNumber? {
    guard stages.isEmpty else {
      let limited = BoundQuery(
        classID: classID, predicate: predicate, stages: stages + [.limit(1)])
      return limited.rows(reader).first
    }
    do {
      try QueryPlan(self, reader).forEachBlock(reader, isWhole: false) { block, rows in
        for bit in BlockBits(rows) { throw Found(row: block * blockSize + bit) }
      }
    } catch {
      return (error as? Found)?.row
    }
    return nil
  }

  /// Calls `body` with the values of a property for each block that has matching objects. Ignores the stages.
  package func forEachColumn(
    _ property: PropertyID, _ reader: any ObjectReader, _ body: (ColumnValues, BlockMask) -> Void
  ) {
    forEachBlock(reader) { block, rows in
      body(reader.column(property, of: classID, block: block), rows)
    }
  }

  /// Returns an aggregate of one property over all rows; block by block where no stage selects rows.
  package func aggregate(
    _ operation: CollectionOperation, at path: PropertyPath, of element: ElementType,
    _ reader: any ObjectReader
  ) -> Value {
    guard keepsEveryRow, let property = path.propertyOfRoot, operation != .count else {
      return aggregate(operation, at: path, of: element, among: rows(reader), reader)
    }
    switch element {
    case .int, .double, .float: break
    case .bool, .string, .data, .date, .decimal, .uuid, .objectID, .any, .link:
      return aggregate(operation, at: path, of: element, among: rows(reader), reader)
    }
    let isExtreme = operation == .min || operation == .max
    if isExtreme, predicate.isAlways, element != .float {
      if let best = operation.extreme(of: property, of: classID, reader) { return best }
    }
    var total = ColumnTotal(operation, element)
    forEachBlock(reader) { block, rows in
      if total.isIntegerSum,
        let part = reader.integerSum(property, of: classID, block: block, among: rows)
      {
        total.add(part)
      } else {
        total.add(reader.column(property, of: classID, block: block), rows)
      }
    }
    return total.result
  }

  /// Returns an aggregate of a path over some rows.
  package func aggregate(
    _ operation: CollectionOperation, at path: PropertyPath, of element: ElementType,
    among rows: [ObjectNumber], _ reader: any ObjectReader
  ) -> Value {
    operation.apply(
      to: rows.lazy.map { reader.isInterrupted ? .null : value(at: path, of: $0, reader) },
      of: element)
  }
}

extension CollectionOperation {
  /// Returns the result over values. Ignores nil, and NaN except in sums and averages, which it makes NaN. For no
  /// values, the sum is 0 and every other result nil.
  package func apply(to values: some Sequence<Value>, of element: ElementType) -> Value {
    switch self {
    case .count: return .int(values.reduce(0) { count, _ in count + 1 })
    case .min, .max:
      var best = Value.null
      let wanted = self == .min ? -1 : 1
      for value in values where !value.isNull && value.number?.isNaN != true {
        if best.isNull || Value.order(value, best).signum() == wanted { best = value }
      }
      return best
    case .sum, .average:
      var total = ExactSum(of: element)
      for value in values { total.add(value) }
      return self == .sum ? total.sum : total.average
    }
  }
}

/// An aggregate of a column of numbers, block by block.
private struct ColumnTotal {
  private let operation: CollectionOperation
  private let element: ElementType
  private var sum: ExactSum
  private var bestInteger: Int?
  private var bestDouble: Double?

  init(_ operation: CollectionOperation, _ element: ElementType) {
    self.operation = operation
    self.element = element
    sum = ExactSum(of: element)
  }

  var isIntegerSum: Bool { element == .int && !isExtreme }
  private var isExtreme: Bool { operation == .min || operation == .max }

  mutating func add(_ part: (sum: Int128, count: Int)) { sum.add(part) }

  mutating func add(_ column: ColumnValues, _ rows: BlockMask) {
    switch (column, operation) {
    case (.integers(let values, let nulls), .sum), (.integers(let values, let nulls), .average):
      sum.add(values, rows: rows & ~nulls)
    case (.doubles(let values, let nulls), .sum), (.doubles(let values, let nulls), .average):
      sum.add(values, rows: rows & ~nulls)
    case (.integers(let values, let nulls), _):
      for bit in BlockBits(rows & ~nulls) {
        let value = values[bit]
        if let best = bestInteger, operation == .min ? best <= value : best >= value { continue }
        bestInteger = value
      }
    case (.doubles(let values, let nulls), _):
      for bit in BlockBits(rows & ~nulls) where !values[bit].isNaN {
        let value = values[bit]
        if let best = bestDouble, operation == .min ? best <= value : best >= value { continue }
        bestDouble = value
      }
    case (.dates, _), (.strings, _), (.data, _): break
    }
  }

  var result: Value {
    switch operation {
    case .sum: sum.sum
    case .average: sum.average
    case .min, .max, .count:
      if let bestInteger {
        .int(bestInteger)
      } else if let bestDouble {
        element == .float ? .float(Float(bestDouble)) : .double(bestDouble)
      } else {
        .null
      }
    }
  }
}
