import Herald

extension Interpreter {
  /// Reads what somebody who types might mean, in the session that is typed for; what goes wrong is no
  /// error.
  private func glimpse<Answer>(_ read: @escaping (Store) throws -> Answer) -> Answer? {
    let session = current
    var answer: Answer?
    try? run(on: session, from: main) {
      if let store = session.store, !store.isClosed { answer = try read(store) }
    }
    return answer
  }

  /// The least keys of a class that begin so. O(limit).
  func keys(of className: String, begun: BegunKey, limit: Int) -> [Value] {
    let found = glimpse { store in
      var found: [Value] = []
      for range in begun.ranges where found.count < limit {
        found += try store.leastKeys(className, in: range, limit: limit - found.count)
      }
      return found
    }
    return (found ?? []).filter { begun.begins($0) }
  }

  /// The first keys of a map that begin so. O(limit), where its place begins with no question.
  func mapKeys(of map: Place, _ source: Source, begun: String, limit: Int) -> [String] {
    if case .query = map.base { return [] }
    let context = Context(source: source, session: current)
    let found = glimpse { [self] _ in
      switch try resolve(map, context) {
      case .collection(let collection) where collection.isMap:
        return collection.keys(beginning: begun, limit: limit)
      case .value(.map(let entries)):
        let keys = entries.inKeyOrder.lazy.map(\.key).filter { $0.hasPrefix(begun) }
        return Array(keys.prefix(limit))
      case .value, .values, .object, .newObject, .collection, .results, .projection: return []
      }
    }
    return found ?? []
  }
}

extension BegunKey {
  /// Where the keys that begin so are, in their order.
  fileprivate var ranges: [IndexRange] {
    switch self {
    case .string(let text): return [.prefix(Array(text.utf8))]
    case .bare(let text):
      guard let first = text.utf8.first, Byte.isDigit(first) else { return [.between(nil, nil)] }
      guard var lower = Int(text), String(lower) == text else { return [] }
      var upper = lower
      var ranges: [IndexRange] = []
      while true {
        ranges.append(.between(.int(lower), .int(upper)))
        let (next, isLower) = lower.multipliedReportingOverflow(by: 10)
        let (end, isUpper) = upper.multipliedReportingOverflow(by: 10)
        let (last, isLast) = end.addingReportingOverflow(9)
        guard lower > 0, !isLower, !isUpper, !isLast else { return ranges }
        (lower, upper) = (next, last)
      }
    }
  }

  fileprivate func begins(_ key: Value) -> Bool {
    switch (self, key) {
    case (.string(let text), .string(let key)): key.hasPrefix(text)
    case (.string, _): false
    case (.bare(let text), .string): text.isEmpty
    case (.bare(let text), _): key.literal { "#\($0.number)" }.hasPrefix(text)
    }
  }
}

extension LiveCollection {
  fileprivate func keys(beginning begun: String, limit: Int) -> [String] {
    let first = place(ofKey: begun).row
    return (first..<count).lazy.map { key(at: $0) }.prefix(limit).prefix { $0.hasPrefix(begun) }
  }
}
