import HeraldModel

/// A relation of two values, spelled as in a query.
enum ModelRelation: String {
  case equal = "=="
  case unequal = "!="
  case less = "<"
  case atMost = "<="
  case greater = ">"
  case atLeast = ">="
  case begins = "BEGINSWITH"
  case ends = "ENDSWITH"
  case contains = "CONTAINS"
  case like = "LIKE"
  case matches = "MATCHES"
  /// Equality with any element of a list.
  case isIn = "IN"

  static let equalities: [ModelRelation] = [.equal, .unequal]
  static let orders: [ModelRelation] = [.equal, .unequal, .less, .atMost, .greater, .atLeast]
  static let searches: [ModelRelation] = [.begins, .ends, .contains, .like, .matches]

  /// `nil` equals only nil; ordered comparisons with nil are false; every string contains nil.
  func holds(_ a: Value, _ b: Value, foldsCase: Bool = false) -> Bool {
    switch self {
    case .equal, .isIn: a.equals(b, foldsCase)
    case .unequal: !a.equals(b, foldsCase)
    case .less: a.isLess(b, foldsCase)
    case .greater: b.isLess(a, foldsCase)
    case .atMost: a.isLess(b, foldsCase) || a.isOrdered && a.equals(b, foldsCase)
    case .atLeast: b.isLess(a, foldsCase) || a.isOrdered && a.equals(b, foldsCase)
    case .begins, .ends, .contains, .like, .matches: search(a, b, foldsCase)
    }
  }

  private func search(_ a: Value, _ b: Value, _ foldsCase: Bool) -> Bool {
    guard case .string(let pattern) = b else {
      return self == .like || self == .matches ? a.isNull : true
    }
    guard case .string(let text) = a else { return false }
    if self == .matches {
      guard let regex = try? Regex(pattern) else { return false }
      return text.wholeMatch(of: foldsCase ? regex.ignoresCase() : regex) != nil
    }
    let (hay, needle) = (text.scalars(foldsCase), pattern.scalars(foldsCase))
    return switch self {
    case .begins: hay.starts(with: needle)
    case .ends: hay.reversed().starts(with: needle.reversed())
    case .contains: (0...hay.count).contains { hay[$0...].starts(with: needle) }
    case _: Self.isLike(hay[...], needle[...])
    }
  }

  private static func isLike(
    _ text: ArraySlice<Unicode.Scalar>, _ pattern: ArraySlice<Unicode.Scalar>
  ) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    let rest = pattern.dropFirst()
    if first == "*" {
      return isLike(text, rest) || !text.isEmpty && isLike(text.dropFirst(), pattern)
    }
    return !text.isEmpty && (first == "?" || first == text.first) && isLike(text.dropFirst(), rest)
  }
}

extension String {
  /// One by one: a character whose lower case is several has none.
  fileprivate func scalars(_ foldsCase: Bool) -> [Unicode.Scalar] {
    unicodeScalars.map { scalar in
      guard foldsCase else { return scalar }
      let lower = Array(scalar.properties.lowercaseMapping.unicodeScalars)
      return lower.count == 1 ? lower[0] : scalar
    }
  }
}

extension Value {
  /// Equality in a query, where numbers of every type are one.
  func equals(_ other: Value, _ foldsCase: Bool = false) -> Bool {
    switch (self, other) {
    case (.int(let a), .int(let b)): return a == b
    case (.decimal(let a), .decimal(let b)): return !(a < b) && !(b < a)
    case (.string(let a), .string(let b)) where foldsCase:
      return a.scalars(true) == b.scalars(true)
    case (_, _):
      if let (a, b) = numbers(other) { return a == b }
      return self == other
    }
  }

  /// Values of different types are in no order, nor are links, nil and nested collections.
  fileprivate func isLess(_ other: Value, _ foldsCase: Bool) -> Bool {
    switch (self, other) {
    case (.string(let a), .string(let b)) where foldsCase:
      a.scalars(true).lexicographicallyPrecedes(b.scalars(true))
    case (_, _): rank == other.rank && isOrdered && precedes(other)
    }
  }

  fileprivate var isOrdered: Bool {
    switch self {
    case .null, .link, .list, .map: false
    case .bool, .int, .float, .double, .string, .data, .date, .decimal, .uuid, .objectID: true
    }
  }

  /// The total order of values: nil first, false before true, strings by code point; of different
  /// types by type, numbers of every type being one.
  func precedes(_ other: Value) -> Bool {
    switch (self, other) {
    case (.bool(let a), .bool(let b)): !a && b
    case (.string(let a), .string(let b)):
      a.unicodeScalars.lexicographicallyPrecedes(b.unicodeScalars)
    case (.data(let a), .data(let b)): a.lexicographicallyPrecedes(b)
    case (.date(let a), .date(let b)): a < b
    case (.uuid(let a), .uuid(let b)): a < b
    case (.objectID(let a), .objectID(let b)): a < b
    case (.link(let a), .link(let b)): a < b
    case (.int(let a), .int(let b)): a < b
    case (.decimal(let a), .decimal(let b)): a < b
    case (.list(let a), .list(let b)): a.precedes(b)
    case (.map(let a), .map(let b)):
      a.keys.sorted().flatMap { [.string($0), a[$0] ?? .null] }
        .precedes(b.keys.sorted().flatMap { [.string($0), b[$0] ?? .null] })
    case (_, _):
      if let (a, b) = numbers(other) { a < b } else { rank < other.rank }
    }
  }

  /// Two numbers: with decimals, few enough digits are compared that doubles distinguish them, but a
  /// float meets a decimal with its own digits.
  private func numbers(_ other: Value) -> (Double, Double)? {
    switch (self, other) {
    case (.float(let a), .decimal(let b)): return (Double("\(a)") ?? .nan, Double(b))
    case (.decimal(let a), .float(let b)): return (Double(a), Double("\(b)") ?? .nan)
    case (_, _):
      guard let a = number, let b = other.number else { return nil }
      return (a, b)
    }
  }

  var number: Double? {
    switch self {
    case .int(let value): Double(value)
    case .float(let value): Double(value)
    case .double(let value): value
    case .decimal(let value): Double(value)
    case .null, .bool, .string, .data, .date, .uuid, .objectID, .link, .list, .map: nil
    }
  }

  private var rank: Int {
    switch self {
    case .null: 0
    case .bool: 1
    case .int, .float, .double, .decimal: 2
    case .string: 3
    case .data: 4
    case .date: 5
    case .objectID: 6
    case .uuid: 7
    case .link: 8
    case .list: 9
    case .map: 10
    }
  }

  /// The value as it is typed in a query.
  var literal: String { literal { "#\($0.classID.rawValue).\($0.number)" } }
}

extension [Value] {
  /// The first elements that differ decide, then the shorter is first.
  fileprivate func precedes(_ other: [Value]) -> Bool {
    for (a, b) in zip(self, other) where a != b { return a.precedes(b) }
    return count < other.count
  }
}
