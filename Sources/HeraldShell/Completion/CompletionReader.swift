import Herald

/// Reads the store of the current session for completion.
struct CompletionReader {
  let shell: Interpreter

  /// Returns nil on an error.
  private func readQuietly<Content>(_ read: @escaping (DynamicStore) throws -> Content) -> Content?
  {
    let session = shell.current
    var content: Content?
    try? shell.run(on: session, from: shell.main) {
      if let store = session.store, !store.isClosed { content = try read(store) }
    }
    return content
  }

  /// The smallest keys of a class that begin with `begun`. O(limit).
  func keys(of className: String, begun: BegunKey, limit: Int) -> [Value] {
    let found = readQuietly { store in
      var found: [Value] = []
      for range in begun.ranges where found.count < limit {
        found += try store.smallestKeys(className, in: range, limit: limit - found.count)
      }
      return found
    }
    return (found ?? []).filter { begun.begins($0) }
  }

  /// Strings of a property that begin with `begun`: those that an index finds, or of the first objects.
  func strings(of property: String, in className: String, begun: String, limit: Int) -> [String] {
    readQuietly { store in
      try store.someStrings(of: property, in: className, beginning: begun, limit: limit)
    } ?? []
  }

  /// The first keys of a map that begin with `begun`; empty if its path begins with a query. O(limit).
  func mapKeys(of map: PathSyntax, begun: String, limit: Int) -> [String] {
    if case .query = map.start { return [] }
    // An error is not shown, so it needs no text.
    let context = Context(shell, Source(name: "", text: ""), shell.current)
    let found = readQuietly { _ in
      switch try context.resolve(map) {
      case .collection(let collection) where collection.isMap:
        return collection.keys(beginning: begun, limit: limit)
      case .value(.map(let entries)):
        let keys = entries.inKeyOrder.lazy.map(\.key).filter { $0.hasPrefix(begun) }
        return Array(keys.prefix(limit))
      case .value, .values, .object, .newObject, .collection, .results, .elements, .projection:
        return []
      }
    }
    return found ?? []
  }
}

extension BegunKey {
  /// The ranges of the keys with this prefix, in order of key.
  fileprivate var ranges: [IndexRange<Value>] {
    switch self {
    case .string(let text): return [.prefix(Array(text.utf8))]
    case .bare(let text):
      guard let first = text.utf8.first, Byte.isDigit(first) else { return [.between(nil, nil)] }
      guard var lower = Int(text), String(lower) == text else { return [] }
      var upper = lower
      var ranges: [IndexRange<Value>] = []
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
    let first = position(ofKey: begun).row
    return (first..<count).lazy.map { key(at: $0) }.prefix(limit).prefix { $0.hasPrefix(begun) }
  }
}
