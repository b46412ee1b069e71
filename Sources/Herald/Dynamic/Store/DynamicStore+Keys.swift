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

  /// Returns strings of a property that begin with `beginning`, in order and each once: of the objects that
  /// an index finds first, or without one of the class's first objects. O(`sampleSize`).
  package func someStrings(
    of propertyName: String, in className: String, beginning: String, limit: Int
  ) throws -> [String] {
    try session.checkOpen()
    let classSchema = try classSchema(className)
    guard let property = classSchema.property(named: propertyName),
      property.type.element == .string, property.type.shape == .single
    else { return [] }
    let found = session.reader.firstIndexed(
      property.id, of: classSchema.id, in: .prefix(Array(beginning.utf8)), limit: Self.sampleSize)
    let numbers =
      found ?? smallestNumbers(classSchema.id, in: .between(nil, nil), limit: Self.sampleSize)
    var strings: Set<String> = []
    for number in numbers where strings.count < limit || found == nil {
      let value = session.reader.value(property.id, of: ObjectID(classSchema.id, number))
      if case .string(let text) = value, text.hasPrefix(beginning) { strings.insert(text) }
    }
    let sorted = strings.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return Array(sorted.prefix(limit))
  }

  /// The number of objects whose values are read at most.
  private static var sampleSize: Int { 2_000 }

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
