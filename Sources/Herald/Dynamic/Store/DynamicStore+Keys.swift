import HeraldEngine
import HeraldModel

extension DynamicStore {
  /// Returns the smallest keys of a class's objects in a range, ascending: primary keys, or object
  /// numbers where the class has none. O(limit), for numbers also O(objects skipped / 256).
  package func smallestKeys(
    _ className: String, in range: IndexRange<Value>, limit: Int
  ) throws -> [Value] {
    try session.checkOpen()
    let classSchema = try classSchema(className)
    guard let key = classSchema.primaryKey else {
      return smallestNumbers(classSchema.id, in: range, limit: limit).map { .int($0) }
    }
    let numbers = session.reader.firstIndexed(
      key.id, of: classSchema.id, in: range, limit: limit)
    return (numbers ?? []).map { session.key(of: ObjectID(classSchema.id, $0)) }
  }

  private func smallestNumbers(
    _ classID: ClassID, in range: IndexRange<Value>, limit: Int
  ) -> [ObjectNumber] {
    guard let bounds = range.numbers else { return [] }
    let reader = session.reader
    var numbers: [ObjectNumber] = []
    let last = min(bounds.upperBound / blockSize + 1, reader.blockCount(of: classID))
    for block in (bounds.lowerBound / blockSize)..<max(last, bounds.lowerBound / blockSize) {
      for bit in BlockBits(reader.presence(of: classID, block: block)) {
        let number = block * blockSize + bit
        if bounds.contains(number) { numbers.append(number) }
        if numbers.count == limit { return numbers }
      }
    }
    return numbers
  }
}

extension IndexRange<Value> {
  /// The object numbers in the range; nil where the range cannot contain any.
  fileprivate var numbers: ClosedRange<Int>? {
    switch self {
    case .equal(.int(let number)) where number >= 0: return number...number
    case .between(let lower, let upper):
      var bounds = (0, Int.max)
      if case .int(let number)? = lower { bounds.0 = max(0, number) }
      if case .int(let number)? = upper { bounds.1 = number }
      return bounds.0 <= bounds.1 ? bounds.0...bounds.1 : nil
    case .equal, .prefix: return nil
    }
  }
}
