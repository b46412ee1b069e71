import Herald

/// `histogram Dog where age > 3 by weight bins 5`: how many rows have which values.
struct HistogramStatement: StatementForm {
  static let command = Command(
    "histogram", ["histogram QUERY by EXPRESSION [bins N]"], "show how often values occur",
    [
      "Of numbers and dates there are N parts of equal width, 10 without bins, from the smallest to the largest value: each "
        + "has the values from its beginning on and before its end, the last one its end, too. Values that are all equal "
        + "are one part. Of everything else there is one row a value, the most frequent one first. nil, and numbers that are "
        + "not finite, are left out. In text each row has a bar."
    ],
    examples: ["histogram Dog by age bins 5", "histogram Dog where age > 3 by owner.name"],
    parse: Self.init)

  /// The rows by the values of the expression, with the number of each.
  let groups: GroupSyntax
  let bins: ExpressionSyntax?

  private static let mostBins = 10_000
  private static let widestBar = 40

  init(_ parser: inout StatementParser) throws(ShellError) {
    var query = try parser.query()
    try parser.take("by")
    let key = try parser.parsed { (parser) throws(QueryError) in
      try parser.key(of: query.origin)
    }
    bins = parser.takeIf("bins") ? try parser.expression() : nil
    if query.version == nil { query.version = try parser.pastVersion() }
    groups = GroupSyntax(countingRowsOf: query, by: key)
  }

  var objectsRead: ObjectsRead { .ofNamedClasses }

  func run(in context: Context) throws {
    let bins = try bins.map { try number(of: $0, context) } ?? 10
    let groups = try context.groups(groups)
    let counted = try groups.rows.compactMap { row in
      if case .int(let count) = row[1], !row[0].isLeftOut {
        (value: row[0], count: count)
      } else {
        nil
      }
    }
    if let parts = EqualParts(of: counted, bins) {
      let rows = parts.edges.indices.dropLast().map { part in
        [parts.edges[part], parts.edges[part + 1], .int(parts.counts[part])]
      }
      return try show(rows, ["from", "to", "count"], groups.store, context)
    }
    // The groups are in order of value already.
    let rows = counted.enumerated().sorted { a, b in
      (-a.element.count, a.offset) < (-b.element.count, b.offset)
    }.map { [$0.element.value, .int($0.element.count)] }
    try show(rows, ["value", "count"], groups.store, context)
  }

  private func number(of bins: ExpressionSyntax, _ context: Context) throws -> Int {
    if case .value(.int(let count)) = try context.resolve(bins), 1...Self.mostBins ~= count {
      return count
    }
    throw context.expected("a number of parts from 1 to \(Self.mostBins)", at: bins.span)
  }

  /// Shows rows whose last column is a number, of which a table has a bar.
  private func show(
    _ rows: [[Value]], _ names: [String], _ store: DynamicStore, _ context: Context
  ) throws {
    guard context.shell.mode == .text else {
      return try RowPrinter(context: context).show(rows.count, names, of: store) { rows[$0] }
    }
    let counts = rows.map { row in if case .int(let count)? = row.last { count } else { 0 } }
    let longest = max(counts.max() ?? 0, 1)
    try RowPrinter(context: context).show(rows.count, names + [" "], of: store) { row in
      rows[row] + [.string(Self.bar(Double(counts[row]) / Double(longest)))]
    }
  }

  /// A bar of a part of the greatest width, in eighths of a column.
  private static func bar(_ share: Double) -> String {
    let eighths = share > 0 ? max(1, Int((share * Double(widestBar) * 8).rounded())) : 0
    let rest = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
    return String(repeating: "█", count: eighths / 8) + rest
  }
}

/// Parts of equal width of numbers or dates, and how many values are in each.
private struct EqualParts {
  /// The beginning of each part, and the end of the last one; empty where there are no values.
  let edges: [Value]
  let counts: [Int]

  /// Returns nil for values that are neither numbers nor dates.
  ///
  /// - Parameter counted: ascending, with how often each occurs.
  init?(of counted: [(value: Value, count: Int)], _ bins: Int) {
    guard let first = counted.first?.value, let last = counted.last?.value else {
      (edges, counts) = ([], [])
      return
    }
    guard let scale = Scale(of: counted.map(\.value)) else { return nil }
    let edges = Value.order(first, last) == 0 ? [first, last] : scale.edges(first, last, bins)
    var counts = [Int](repeating: 0, count: edges.count - 1)
    var part = 0
    for (value, count) in counted {
      while part + 1 < counts.count, Value.order(edges[part + 1], value) <= 0 { part += 1 }
      counts[part] += count
    }
    (self.edges, self.counts) = (edges, counts)
  }
}

/// What the values between which edges are computed have in common.
private enum Scale {
  case integers, decimals, floats, doubles, dates

  /// Returns nil for values that are neither all numbers nor all dates.
  init?(of values: [Value]) {
    let scales = Set(values.map { Scale(of: $0) })
    switch scales.count == 1 ? scales.first : .some(.doubles) {
    case let scale?? where !scales.contains(nil) && (scales.count == 1 || !scales.contains(.dates)):
      self = scale
    case _: return nil
    }
  }

  private init?(of value: Value) {
    switch value {
    case .int: self = .integers
    case .decimal: self = .decimals
    case .float: self = .floats
    case .double: self = .doubles
    case .date: self = .dates
    case .null, .bool, .string, .data, .uuid, .objectID, .link, .list, .map: return nil
    }
  }

  /// Returns the edges of so many parts between two values, which are the first and the last one.
  func edges(_ first: Value, _ last: Value, _ bins: Int) -> [Value] {
    [first] + inner(first, last, bins) + [last]
  }

  private func inner(_ first: Value, _ last: Value, _ bins: Int) -> [Value] {
    let parts = 1..<bins
    switch (first, last) {
    case (.int(let low), .int(let high)):
      let range = Int128(high) - Int128(low)
      guard range % Int128(bins) == 0 else {
        return parts.map { .double(Double(low) + Double(range) * Double($0) / Double(bins)) }
      }
      return parts.map { .int(Int(Int128(low) + range / Int128(bins) * Int128($0))) }
    case (.decimal(let low), .decimal(let high)):
      return parts.map {
        .decimal(low + (high - low) * Decimal128($0) / Decimal128(bins))
      }
    case (.date(let low), .date(let high)):
      let range = high.sinceEpoch - low.sinceEpoch
      return parts.map {
        .date(Timestamp(sinceEpoch: low.sinceEpoch + range * Int128($0) / Int128(bins)))
      }
    case _:
      let (low, high) = (first.asDouble ?? 0, last.asDouble ?? 0)
      return parts.map { part in
        // Halves, as the distance of both ends may be too large for a double.
        let edge = 2 * (low / 2 + (high / 2 - low / 2) * Double(part) / Double(bins))
        return self == .floats ? .float(Float(edge)) : .double(edge)
      }
    }
  }
}

extension Timestamp {
  /// In nanoseconds.
  fileprivate var sinceEpoch: Int128 { Int128(seconds) * 1_000_000_000 + Int128(nanoseconds) }

  fileprivate init(sinceEpoch: Int128) {
    let (seconds, nanoseconds) = sinceEpoch.quotientAndRemainder(dividingBy: 1_000_000_000)
    self.init(seconds: Int(seconds), nanoseconds: Int32(nanoseconds))
  }
}

extension Value {
  /// Whether the value is in no part: nil, or a number that is not finite.
  fileprivate var isLeftOut: Bool {
    switch self {
    case .null: true
    case .float(let number): !number.isFinite
    case .double(let number): !number.isFinite
    case .decimal(let number): !number.isFinite
    case .bool, .int, .string, .data, .date, .uuid, .objectID, .link, .list, .map: false
    }
  }
}
