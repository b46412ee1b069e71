import Herald

/// Reads the tokens of a statement in another language from left to right.
struct ForeignReader {
  private var rest: ArraySlice<ForeignToken>
  /// The name of the class that another language's table or collection probably is.
  let className: (String) -> String

  init(_ tokens: [ForeignToken], className: @escaping (String) -> String) {
    rest = tokens[...]
    self.className = className
  }

  var isAtEnd: Bool { rest.isEmpty }
  var first: ForeignToken? { rest.first }
  var second: ForeignToken? { rest.dropFirst().first }

  mutating func next() -> ForeignToken? { rest.popFirst() }

  func isAt(_ words: String...) -> Bool { words.contains { isAt(phrase: $0) } }

  /// Consumes the first of these phrases that stands here, in any case of letters.
  mutating func take(_ phrases: String...) -> Bool {
    for phrase in phrases where isAt(phrase: phrase) {
      rest = rest.dropFirst(phrase.split(separator: " ").count)
      return true
    }
    return false
  }

  private func isAt(phrase: String) -> Bool {
    let words = phrase.split(separator: " ")
    return rest.count >= words.count
      && zip(rest, words).allSatisfy { $0.kind != .text && $0.small == $1 }
  }

  /// Consumes a name, which may be quoted.
  mutating func name() -> String? {
    guard let first, first.kind == .word || first.kind == .text && first.quote != "'" else {
      return nil
    }
    rest.removeFirst()
    return first.text
  }

  /// Consumes the name of a table or a collection; of one in a schema, what is after the dot.
  mutating func table() -> String? {
    guard var found = name() else { return nil }
    while take("."), let part = name() { found = part }
    return className(found)
  }

  /// Consumes an integer.
  mutating func integer() -> Int? {
    guard let first, first.kind == .number, let value = Int(first.text) else { return nil }
    rest.removeFirst()
    return value
  }

  /// Consumes what is between two brackets, the first of which is next; nil if they do not match.
  mutating func bracketed() -> ForeignReader? {
    var depth = 0
    for index in rest.indices {
      guard rest[index].kind == .sign else { continue }
      if "([{".contains(rest[index].text) { depth += 1 }
      if ")]}".contains(rest[index].text) { depth -= 1 }
      if depth == 0, index > rest.startIndex {
        let inner = Array(rest[(rest.startIndex + 1)..<index])
        rest = rest[(index + 1)...]
        return ForeignReader(inner, className: className)
      }
    }
    return nil
  }
}

extension ForeignReader {
  /// Moves to a word that is not in brackets; returns false if there is none.
  mutating func skip(to word: String) -> Bool {
    while let first {
      if first.kind == .word, first.small == word { return true }
      if first.kind == .sign, "([{".contains(first.text) {
        guard bracketed() != nil else { return false }
      } else {
        _ = next()
      }
    }
    return false
  }
}
