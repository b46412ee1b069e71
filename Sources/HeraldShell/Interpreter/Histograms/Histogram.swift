import Herald

/// How many rows of a query have which values, at one version.
struct Histogram {
  /// The names of the columns, of which the last one is the number of rows.
  let names: [String]
  let rows: [[Value]]
  /// What each row is of: a part, by its position, or a value.
  let identities: [Value]

  private static let (ofParts, ofValues) = (["from", "to", "count"], ["value", "count"])

  /// The names of the columns of a row, which may be one of an earlier histogram of the other form.
  static func names(of row: [Value]) -> [String] {
    row.count == ofParts.count ? ofParts : ofValues
  }

  /// Runs the query of groups that count the rows by one value. Errors: those of `DynamicGroups.rows`.
  init(of groups: DynamicGroups, bins: Int) throws {
    if let parts = try groups.parts({ EqualParts.edges(from: $0, to: $1, bins) }) {
      self.init(EqualParts(edges: parts.edges, counts: parts.counts))
    } else {
      self.init(of: try groups.rows, bins: bins)
    }
  }

  private init(_ parts: EqualParts) {
    let rows: [[Value]] = parts.counts.indices.map { part in
      [parts.edges[part], parts.edges[part + 1], .int(parts.counts[part])]
    }
    self.init(Self.ofParts, rows, rows.indices.map { .list([.null, .int($0)]) })
  }

  private init(_ names: [String], _ rows: [[Value]], _ identities: [Value]) {
    self.names = names
    self.rows = rows
    self.identities = identities
  }

  /// - Parameter groups: the values of the rows in ascending order, each with the number of rows.
  init(of groups: [[Value]], bins: Int) {
    let counted = groups.compactMap { row in
      if case .int(let count) = row[1], !row[0].isLeftOut {
        (value: row[0], count: count)
      } else {
        nil
      }
    }
    if let parts = EqualParts(of: counted, bins) {
      self.init(parts)
    } else {
      let rows: [[Value]] = counted.enumerated().sorted { a, b in
        (-a.element.count, a.offset) < (-b.element.count, b.offset)
      }.map { [$0.element.value, .int($0.element.count)] }
      self.init(Self.ofValues, rows, rows.map { .list([$0[0]]) })
    }
  }

  /// The number of rows of each part or value.
  var counts: [Int] {
    rows.map { row in if case .int(let count)? = row.last { count } else { 0 } }
  }

  /// The positions of the rows that differ from earlier ones of the same identity, in both.
  func difference(from old: Histogram, in store: DynamicStore) -> ChangeSet {
    var changes = store.difference(from: old.identities, to: identities)
    let (deleted, inserted) = (Set(changes.deletions), Set(changes.insertions))
    let kept = zip(
      old.rows.indices.filter { !deleted.contains($0) },
      rows.indices.filter { !inserted.contains($0) })
    for (oldRow, newRow) in kept where old.rows[oldRow] != rows[newRow] {
      changes.modifications.append(oldRow)
      changes.modificationsNew.append(newRow)
    }
    return changes
  }
}

/// Parts of equal width of numbers or dates, and how many values are in each.
private struct EqualParts {
  /// The beginning of each part, and the end of the last one; empty where there are no values.
  let edges: [Value]
  let counts: [Int]

  init(edges: [Value], counts: [Int]) {
    self.edges = edges
    self.counts = counts
  }

  /// The edges of parts between two numbers of one type.
  static func edges(from first: Value, to last: Value, _ bins: Int) -> [Value] {
    Scale(of: [first, last])?.edges(first, last, bins) ?? [first, last]
  }

  /// Returns nil for values that are neither numbers nor dates.
  ///
  /// - Parameter counted: ascending, with how often each occurs.
  init?(of counted: [(value: Value, count: Int)], _ bins: Int) {
    guard let first = counted.first?.value, let last = counted.last?.value else {
      (edges, counts) = ([], [])
      return
    }
    guard let scale = Scale(of: counted.map(\.value)) else { return nil }
    let edges = scale.edges(first, last, bins)
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

  /// Returns the edges of so many parts between two values, which are the first and the last one; of equal ones there is one
  /// part.
  func edges(_ first: Value, _ last: Value, _ bins: Int) -> [Value] {
    let inner = Value.order(first, last) == 0 ? [] : inner(first, last, bins)
    return [first] + inner + [last]
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
        let width = high / 2 - low / 2
        let product = width * Double(part)
        let offset =
          product.isFinite ? product / Double(bins) : width / Double(bins) * Double(part)
        let edge = 2 * (low / 2 + offset)
        return self == .floats ? .float(Float(edge)) : .double(edge)
      }
    }
  }
}

extension Timestamp {
  /// In nanoseconds.
  fileprivate var sinceEpoch: Int128 { Int128(seconds) * 1_000_000_000 + Int128(nanoseconds) }

  fileprivate init(sinceEpoch: Int128) {
    let (quotient, remainder) = sinceEpoch.quotientAndRemainder(dividingBy: 1_000_000_000)
    // Nanoseconds count forward, before 1970 as well.
    let isBefore = remainder < 0
    self.init(
      seconds: Int(isBefore ? quotient - 1 : quotient),
      nanoseconds: Int32(isBefore ? remainder + 1_000_000_000 : remainder))
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
