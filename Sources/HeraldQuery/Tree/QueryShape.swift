import HeraldModel

/// What queries have in common that differ only in the bounds of one comparison of numbers.
///
///     Dog where age >= 10 AND weight > 5, Dog where age >= 10 AND weight > 8.5
///     → age >= 10 AND weight > …
///
/// Such a query is its shape and two numbers, from which all of it, the text for `explain` included, is made again. So
/// many observed ones need not be kept one by one.
package final class QueryShape: Sendable {
  private let classID: ClassID
  private let dependencies: [PropertyPath]
  private let hasValuesOfStore: Bool
  private let root: ClassID?
  /// The comparisons, all of which must hold. That at `varying` is the one of the first query.
  private let columns: [ColumnCondition]
  private let parts: [Condition]
  private let texts: [String]
  /// The comparison whose bounds differ.
  private let varying: Int
  private let wording: ShapeText
  /// What the other comparisons are equal to.
  package let fixedBounds: [KeyBounds]
  /// What the comparison that varies is equal to, with the bounds of the first query.
  private let varyingBounds: KeyBounds
  /// By how much its interval begins after and ends before the keys of its bounds, which it may not include.
  private let offsets: (lower: Int, upper: Int)
  /// The span of the first query.
  private let span: ValueInterval
  /// Whether the only comparison is not in a list.
  private let isSingle: Bool

  /// Creates the shape of queries that differ from one in one of its comparisons at most. Nil for comparisons that are
  /// not equal to intervals.
  init?(_ query: ShapedQuery, varying: Int) {
    let bounds = query.columns.compactMap(\.keyBounds)
    guard bounds.count == query.columns.count, let keys = query.columns[varying].test.keys else {
      return nil
    }
    varyingBounds = bounds[varying]
    fixedBounds = bounds.indices.filter { $0 != varying }.map { bounds[$0] }
    offsets = (bounds[varying].lower - keys.lower, bounds[varying].upper - keys.upper)
    classID = query.classID
    dependencies = query.predicate.dependencies
    hasValuesOfStore = query.predicate.hasValuesOfStore
    root = query.predicate.root
    columns = zip(query.columns, query.texts).map { column, text in
      var column = column
      column.wording = ConditionSource(text: text)
      return column
    }
    parts = columns.map { .column($0) }
    texts = query.texts
    self.varying = varying
    let isOfDoubles = query.columns[varying].test.isOfDoubles
    wording = ShapeText(query.texts[varying], keys, isOfDoubles: isOfDoubles)
    span = query.span
    isSingle = query.isSingle
  }

  /// Returns the same query in less memory, as one of this shape; nil for one of another.
  func compacted(_ query: ShapedQuery) -> BoundQuery? {
    let predicate = query.predicate
    guard query.classID == classID, query.isSingle == isSingle,
      query.columns.count == columns.count,
      let (lower, upper) = query.columns[varying].test.keys,
      query.span == span(lower: lower, upper: upper)
    else { return nil }
    for (index, column) in query.columns.enumerated() {
      guard column.isAlike(columns[index]),
        index == varying || column.test.isSame(as: columns[index].test)
      else { return nil }
    }
    for (index, text) in query.texts.enumerated() {
      guard text == (index == varying ? wording.text(lower, upper) : texts[index]) else {
        return nil
      }
    }
    guard predicate.hasValuesOfStore == hasValuesOfStore, predicate.root == root,
      predicate.dependencies == dependencies
    else { return nil }
    return self.query(lower: lower, upper: upper)
  }

  /// Returns the query with some bounds, by their keys.
  package func query(lower: Int, upper: Int) -> BoundQuery {
    var column = columns[varying]
    column.test = column.test.with(lower, upper)
    column.wording = ConditionSource(of: wording, lower, upper)
    let condition: Condition
    if isSingle {
      condition = .column(column)
    } else {
      var parts = parts
      parts[varying] = .column(column)
      condition = .all(parts)
    }
    let predicate = BoundPredicate(
      condition, dependencies, span: span(lower: lower, upper: upper),
      hasValuesOfStore: hasValuesOfStore, root: root, shape: self)
    return BoundQuery(classID: classID, predicate: predicate)
  }

  /// Returns the bounds of a query of the shape.
  package func bounds(of query: BoundQuery) -> (lower: Int, upper: Int)? {
    switch query.predicate.condition {
    case .column(let column): column.test.keys
    case .all(let parts):
      if case .column(let column) = parts[varying] { column.test.keys } else { nil }
    case .constant, .any, .not, .values, .pair, .function: nil
    }
  }

  /// Returns what the comparison that varies is equal to, with some bounds. An object matches the query if its keys are
  /// within these and `fixedBounds`.
  package func varyingBounds(lower: Int, upper: Int) -> KeyBounds {
    varyingBounds.with(lower + offsets.lower, upper + offsets.upper)
  }

  /// Returns the span of the query with some bounds.
  package func span(lower: Int, upper: Int) -> ValueInterval {
    columns[varying].property == span.property
      ? ValueInterval(property: span.property, lower: lower, upper: upper) : span
  }
}

/// The parts of a query that may have a shape.
struct ShapedQuery {
  let classID: ClassID
  let predicate: BoundPredicate
  let columns: [ColumnCondition]
  let texts: [String]
  let span: ValueInterval
  let isSingle: Bool

  /// Returns nil for a query that is more than comparisons of numbers, each of another property, that must all hold.
  init?(_ query: BoundQuery) {
    guard query.stages.isEmpty, let span = query.predicate.span else { return nil }
    switch query.predicate.condition {
    case .column(let column):
      columns = [column]
      isSingle = true
    case .all(let parts):
      var found: [ColumnCondition] = []
      for part in parts {
        guard case .column(let column) = part else { return nil }
        found.append(column)
      }
      columns = found
      isSingle = false
    case .constant, .any, .not, .values, .pair, .function: return nil
    }
    for (index, column) in columns.enumerated() {
      guard column.test.keys != nil, !column.wording.saysNone,
        !columns[..<index].contains(where: { $0.property == column.property })
      else { return nil }
    }
    classID = query.classID
    predicate = query.predicate
    texts = columns.map(\.wording.text)
    self.span = span
  }

  /// The index of the only comparison in which two queries differ, for equal ones of that of their span; nil if they
  /// differ in more than the bounds of one.
  func difference(from other: ShapedQuery) -> Int? {
    guard classID == other.classID, isSingle == other.isSingle, columns.count == other.columns.count
    else { return nil }
    var found: Int?
    for (index, column) in columns.enumerated() {
      guard column.isAlike(other.columns[index]) else { return nil }
      if column.test.isSame(as: other.columns[index].test), texts[index] == other.texts[index] {
        continue
      }
      guard found == nil else { return nil }
      found = index
    }
    return found ?? columns.firstIndex { $0.property == span.property }
  }
}

extension ColumnCondition {
  /// Whether both compare the same property in the same way, perhaps with other bounds.
  fileprivate func isAlike(_ other: ColumnCondition) -> Bool {
    classID == other.classID && property == other.property && test.isAlike(other.test)
  }
}

extension ColumnTest {
  fileprivate var isOfDoubles: Bool { if case .doubles = self { true } else { false } }

  /// The keys of the bounds of an interval of numbers; nil for another test, and where a bound is not found again from
  /// its key: both zeros have one, and NaN has none.
  fileprivate var keys: (lower: Int, upper: Int)? {
    switch self {
    case .integers(let lower, let upper, inverted: false, null: false): return (lower, upper)
    case .doubles(let lower, let upper, _, _, inverted: false, null: false):
      guard let lower = lower.exactKey, let upper = upper.exactKey else { return nil }
      return (lower, upper)
    case .isNull, .integers, .integerSet, .doubles, .dates, .numbers, .bytesEqual, .bytesPrefix,
      .bytesRange, .bytesSet, .bytes:
      return nil
    }
  }

  /// The same interval between the numbers with other keys.
  fileprivate func with(_ lower: Int, _ upper: Int) -> ColumnTest {
    switch self {
    case .integers(_, _, let inverted, let null):
      .integers(lower: lower, upper: upper, inverted: inverted, null: null)
    case .doubles(_, _, let openLower, let openUpper, let inverted, let null):
      .doubles(
        lower: Double(intervalKey: lower), upper: Double(intervalKey: upper), openLower: openLower,
        openUpper: openUpper, inverted: inverted, null: null)
    case .isNull, .integerSet, .dates, .numbers, .bytesEqual, .bytesPrefix, .bytesRange, .bytesSet,
      .bytes:
      self
    }
  }

  /// Whether both, which have keys, differ at most in their bounds.
  fileprivate func isAlike(_ other: ColumnTest) -> Bool {
    switch (self, other) {
    case (.integers, .integers): true
    case (
      .doubles(_, _, let openLower, let openUpper, _, _),
      .doubles(_, _, let otherLower, let otherUpper, _, _)
    ):
      openLower == otherLower && openUpper == otherUpper
    case _: false
    }
  }

  /// Whether both, which are alike, have the same bounds.
  fileprivate func isSame(as other: ColumnTest) -> Bool {
    guard let keys, let others = other.keys else { return false }
    return keys == others
  }
}

extension Double {
  /// The interval key, if the number is found again from it.
  fileprivate var exactKey: Int? {
    guard let key = intervalKey, Double(intervalKey: key).bitPattern == bitPattern else {
      return nil
    }
    return key
  }

  /// The number with an interval key; the positive one of both zeros.
  init(intervalKey key: Int) {
    self.init(bitPattern: UInt64(bitPattern: Int64(key >= 0 ? key : Int.min &- key)))
  }
}
