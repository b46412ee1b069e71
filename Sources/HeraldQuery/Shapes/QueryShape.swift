package import HeraldModel

/// What queries have in common that differ only in the bounds of one comparison of numbers, or in the short string that a
/// property is equal to.
///
///     Dog where age >= 10 AND weight > 5, Dog where age >= 10 AND weight > 8.5
///     → age >= 10 AND weight > …
///
/// Such a query is its shape and two integers, from which all of it, the text for `explain` included, is made again. So
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
  package let fixedParts: [Part]
  /// What the comparison that varies is equal to, with the bounds of the first query.
  private let varyingPart: Part
  /// By how much its interval begins after and ends before the keys of its bounds, which it may not include.
  private let offsets: (lower: Int, upper: Int)
  /// The span of the first query.
  private let span: ValueInterval
  /// Whether the only comparison is not in a list.
  private let isSingle: Bool

  /// What a comparison is equal to.
  package enum Part: Sendable {
    case within(KeyBounds)
    case equal(PropertyID, ShortText)
  }

  /// Creates the shape of queries that differ from one in one of its comparisons at most. Nil for comparisons that are
  /// not equal to intervals or short strings, and for a string whose place in the text is not found.
  init?(_ query: ShapedQuery, varying: Int) {
    let parts = query.columns.compactMap(\.shapePart)
    let test = query.columns[varying].test
    guard parts.count == query.columns.count, let keys = test.keys, let kind = test.shapeKind else {
      return nil
    }
    let wording = ShapeText(query.texts[varying], keys, kind)
    if kind == .texts, wording.isFixed { return nil }
    self.wording = wording
    varyingPart = parts[varying]
    fixedParts = parts.indices.filter { $0 != varying }.map { parts[$0] }
    offsets = varyingPart.offsets(from: keys)
    classID = query.classID
    dependencies = query.predicate.dependencies
    hasValuesOfStore = query.predicate.hasValuesOfStore
    root = query.predicate.root
    columns = zip(query.columns, query.texts).map { column, text in
      var column = column
      column.wording = ConditionSource(text: text)
      return column
    }
    self.parts = columns.map { .column($0) }
    texts = query.texts
    self.varying = varying
    span = query.span
    isSingle = query.isSingle
  }

  /// Returns the same query in less memory, as one of this shape; nil for one of another.
  func compacted(_ query: ShapedQuery) -> BoundQuery? {
    let predicate = query.predicate
    guard query.classID == classID, query.isSingle == isSingle,
      query.columns.count == columns.count, query.columns[varying].isAlike(columns[varying]),
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

  /// Returns what the comparison that varies is equal to, with some bounds. An object matches the query if this and all
  /// `fixedParts` hold.
  package func varyingPart(lower: Int, upper: Int) -> Part {
    switch varyingPart {
    case .within(let bounds):
      .within(bounds.with(lower + offsets.lower, upper + offsets.upper))
    case .equal(let property, _): .equal(property, ShortText(lower, upper))
    }
  }

  /// Returns the span of the query with some bounds.
  package func span(lower: Int, upper: Int) -> ValueInterval {
    if columns[varying].property != span.property { return span }
    guard case .equal(let property, _) = varyingPart else {
      return ValueInterval(property: span.property, lower: lower, upper: upper)
    }
    let key = ShortText(lower, upper).intervalKey
    return ValueInterval(property: property, lower: key, upper: key)
  }
}

extension QueryShape.Part {
  /// By how much its interval differs from the keys of a comparison's bounds.
  fileprivate func offsets(from keys: (lower: Int, upper: Int)) -> (lower: Int, upper: Int) {
    switch self {
    case .within(let bounds): (bounds.lower - keys.lower, bounds.upper - keys.upper)
    case .equal: (0, 0)
    }
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

  /// Returns nil for a query that is more than comparisons of numbers, and with short strings for equality, each of another
  /// property, that must all hold.
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
