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

  /// Aggregates of one property over all rows.
  package struct Aggregates {
    /// How many rows have a value.
    package let present: Int
    package let values: [Value]
  }

  /// Returns an aggregate of one property over all rows.
  package func aggregate(
    _ operation: CollectionOperation, at path: PropertyPath, of element: ElementType,
    _ reader: any ObjectReader
  ) -> Value {
    aggregates([operation], at: path, of: element, reader).values[0]
  }

  /// Returns aggregates of one property over all rows; block by block where no stage selects rows.
  package func aggregates(
    _ operations: [CollectionOperation], at path: PropertyPath, of element: ElementType,
    _ reader: any ObjectReader
  ) -> Aggregates {
    guard keepsEveryRow, let property = path.propertyOfRoot, element.isColumnOfNumbers else {
      return aggregates(operations, at: path, of: element, among: rows(reader), reader)
    }
    let totals = operations.map { $0.accumulator(of: element) }
    let room = BlockRoom()
    var (members, present) = (0, 0)
    func add(_ block: Int, _ rows: BlockMask) {
      members += rows.bitCount
      reader.withNumbers(property, of: classID, block: block) { numbers in
        present += (rows & ~numbers.nulls).bitCount
        for total in totals { total.add(numbers, rows, to: 0, room) }
      }
    }
    if predicate.isAlways, !operations.contains(.count) {
      // Objects that do not exist are nil.
      for block in 0..<reader.blockCount(of: classID) where !reader.isInterrupted {
        add(block, .everything)
      }
    } else {
      forEachBlock(reader, add)
    }
    return Aggregates(
      present: present, values: totals.map { $0.value(of: 0, members: members) })
  }

  /// Returns aggregates of a path over some rows.
  package func aggregates(
    _ operations: [CollectionOperation], at path: PropertyPath, of element: ElementType,
    among rows: [ObjectNumber], _ reader: any ObjectReader
  ) -> Aggregates {
    let totals = operations.map { $0.accumulator(of: element) }
    var present = 0
    for row in rows where !reader.isInterrupted {
      let value = value(at: path, of: row, reader)
      if !value.isNull { present += 1 }
      for total in totals { total.add(value, to: 0) }
    }
    return Aggregates(
      present: present, values: totals.map { $0.value(of: 0, members: rows.count) })
  }
}

extension CollectionOperation {
  /// An accumulator of one group of values that stay.
  fileprivate func accumulator(of element: ElementType) -> any Accumulator {
    let total = function.accumulator(of: element, isFollowed: false)
    total.reserve(1)
    return total
  }

  /// Returns the result over values.
  package func apply(to values: some Sequence<Value>, of element: ElementType) -> Value {
    let total = accumulator(of: element)
    var members = 0
    for value in values {
      total.add(value, to: 0)
      members += 1
    }
    return total.value(of: 0, members: members)
  }

  /// Returns the result over the values of a path.
  func apply(to path: OperandPath, of element: ElementType, _ scope: EvaluationScope) -> Value {
    if self == .count { return .int(path.count(scope)) }
    if path.hops.count == 1, let keyPath = OperandPath(start: .root, hops: path.hops).keyPath {
      if let query = path.wholeQuery {
        return query.aggregate(self, at: keyPath, of: element, scope.reader)
      }
      if let (classID, rows) = path.rowsAtStart(scope.reader) {
        return BoundQuery(classID: classID).aggregates(
          [self], at: keyPath, of: element, among: rows, scope.reader
        ).values[0]
      }
    }
    let total = accumulator(of: element)
    var members = 0
    _ = path.forEachValue(scope) { value in
      total.add(value, to: 0)
      members += 1
      return !scope.reader.isInterrupted
    }
    return total.value(of: 0, members: members)
  }
}

extension OperandPath {
  /// The rows that the path begins at, if they are of one class and the same for every object under evaluation.
  fileprivate func rowsAtStart(
    _ reader: any ObjectReader
  ) -> (classID: ClassID, rows: [ObjectNumber])? {
    switch start {
    case .objects(let objects):
      guard let classID = objects.first?.classID,
        objects.allSatisfy({ $0.classID == classID })
      else { return nil }
      return (classID, objects.map(\.number))
    case .rows(let rows) where rows.position == nil:
      return (rows.query.classID, rows.numbers(reader))
    case .rows, .root, .outer, .keyed, .extent: return nil
    }
  }
}

extension ElementType {
  /// Whether blocks of its columns are numbers.
  var isColumnOfNumbers: Bool {
    switch self {
    case .int, .double, .float: true
    case .bool, .string, .data, .date, .decimal, .uuid, .objectID, .any, .link: false
    }
  }
}
