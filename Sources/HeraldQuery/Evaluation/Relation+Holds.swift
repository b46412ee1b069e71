import HeraldModel

extension Relation {
  /// Returns whether this relation holds between two values of comparable types.
  ///
  /// nil equals only nil; nothing is ordered relative to nil or NaN; every text contains nil. Values
  /// of different types are unequal and unordered, except that all numbers are comparable.
  func holds(_ a: Value, _ b: Value, foldsCase: Bool) -> Bool {
    switch self {
    case .equal: return isEqual(a, b, foldsCase: foldsCase)
    case .notEqual: return !isEqual(a, b, foldsCase: foldsCase)
    case .less: return order(a, b, foldsCase: foldsCase).map { $0 < 0 } ?? false
    case .lessOrEqual: return order(a, b, foldsCase: foldsCase).map { $0 <= 0 } ?? false
    case .greater: return order(a, b, foldsCase: foldsCase).map { $0 > 0 } ?? false
    case .greaterOrEqual: return order(a, b, foldsCase: foldsCase).map { $0 >= 0 } ?? false
    case .matches:
      if b.isNull { return a.isNull }
      guard case .string(let text) = a, case .string(let pattern) = b else { return false }
      return (try? RegexPattern.compiled(pattern, foldsCase: foldsCase))?.matches(text) ?? false
    case .beginsWith, .endsWith, .contains, .like:
      if b.isNull { return self == .like ? a.isNull : true }
      guard a.typeRank == b.typeRank, let pattern = b.searchedBytes(foldsCase: foldsCase)
      else { return false }
      let search = TextSearch(relation: self, pattern: pattern)
      return a.searchedBytes(foldsCase: foldsCase)?.withUnsafeBytes(search.matches) ?? false
    }
  }

  private func isEqual(_ a: Value, _ b: Value, foldsCase: Bool) -> Bool {
    if let (left, right) = numbers(a, b) { return Number.order(left, right) == 0 }
    if foldsCase, a.typeRank == b.typeRank, let left = a.searchedBytes(foldsCase: true),
      let right = b.searchedBytes(foldsCase: true)
    {
      return left == right
    }
    switch (a, b) {
    case (.list, .list), (.map, .map): return Value.order(a, b) == 0
    default: return a == b
    }
  }

  /// Returns both as numbers; a float is converted to its shortest decimal for comparison with a
  /// decimal. nil if either is not a number.
  private func numbers(_ a: Value, _ b: Value) -> (Number, Number)? {
    switch (a, b) {
    case (.float, .decimal(let decimal)): return (.decimal(a.shortestDecimal), .decimal(decimal))
    case (.decimal(let decimal), .float): return (.decimal(decimal), .decimal(b.shortestDecimal))
    default:
      guard let left = a.number, let right = b.number else { return nil }
      return (left, right)
    }
  }

  private func order(_ a: Value, _ b: Value, foldsCase: Bool) -> Int? {
    if a.isNull || b.isNull { return nil }
    if let (left, right) = numbers(a, b) { return Number.order(left, right) }
    guard a.typeRank == b.typeRank else { return nil }
    if foldsCase, let left = a.searchedBytes(foldsCase: true),
      let right = b.searchedBytes(foldsCase: true)
    {
      return byteOrder(of: left, right)
    }
    return a.isOrdered ? Value.order(a, b) : nil
  }
}

/// A text relation with its compiled pattern.
struct TextSearch: Sendable {
  private enum Kind {
    case prefix
    case suffix
    case part(Needle)
    case pattern(LikePattern)
    case whole
  }

  private let kind: Kind
  private let pattern: [UInt8]

  /// Compiles a pattern, which is case-folded already for a case-insensitive search.
  init(relation: Relation, pattern: [UInt8]) {
    self.pattern = pattern
    switch relation {
    case .beginsWith: kind = .prefix
    case .endsWith: kind = .suffix
    case .contains: kind = .part(Needle(pattern))
    case .like: kind = .pattern(LikePattern(pattern))
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .matches:
      kind = .whole
    }
  }

  func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
    switch kind {
    case .prefix: bytes.begins(with: pattern)
    case .suffix: bytes.ends(with: pattern)
    case .part(let needle): needle.end(in: bytes, from: 0) != nil
    case .pattern(let pattern): pattern.matches(bytes)
    case .whole: bytes.equals(pattern)
    }
  }
}

extension Value {
  /// The bytes of a string or of data; nil for everything else.
  func searchedBytes(foldsCase: Bool) -> [UInt8]? {
    switch self {
    case .string(let text):
      let bytes = Array(text.utf8)
      return foldsCase ? bytes.withUnsafeBytes { foldedCase($0, isText: true) } : bytes
    case .data(let bytes):
      return foldsCase ? bytes.withUnsafeBytes { foldedCase($0, isText: false) } : bytes
    case .null, .bool, .int, .float, .double, .date, .decimal, .uuid, .objectID, .link, .list,
      .map:
      return nil
    }
  }
}

extension Value {
  /// Whether values of this type are ordered by `<` and `>`.
  fileprivate var isOrdered: Bool {
    switch self {
    case .null, .link, .list, .map: false
    case .bool, .int, .float, .double, .string, .data, .date, .decimal, .uuid, .objectID: true
    }
  }
}

extension Relation {
  /// Returns whether this relation holds between two whole lists: they have the same length, and it
  /// holds between the elements at each index. `!=` is the negation of `==`.
  func holds(inOrder a: [Value], _ b: [Value], foldsCase: Bool) -> Bool {
    switch self {
    case .notEqual: return !Relation.equal.holds(inOrder: a, b, foldsCase: foldsCase)
    case .equal, .less, .lessOrEqual, .greater, .greaterOrEqual, .beginsWith, .endsWith, .contains,
      .like, .matches:
      return a.count == b.count && zip(a, b).allSatisfy { holds($0, $1, foldsCase: foldsCase) }
    }
  }
}
