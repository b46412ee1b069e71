import Herald

/// Returns the text to show after the cursor at the end of `text`: the rest of the word, or what is
/// expected next; nil if there is no hint.
package func hint(_ text: String, _ context: CompletionContext) -> String? {
  guard text.contains(where: { !$0.isWhitespace }),
    let point = CompletionPoint(AliasExpansion(Array(text.utf8), aliases: context.aliases).bytes)
  else { return nil }
  // Within a string a description would read as its text.
  return point.partial.isEmpty && point.quote == nil
    ? point.nextWords(context) : point.restOfWord(context)
}

extension CompletionPoint {
  /// The unambiguous rest of the word.
  fileprivate func restOfWord(_ context: CompletionContext) -> String? {
    let found = completions(context)
    let common = found.commonPrefix
    // The completions of a string have its quotes.
    let typed = (quote.map { String(Unicode.Scalar($0)) } ?? "") + partial
    guard common.count > typed.count, common.hasPrefix(typed) else { return nil }
    return String(common.dropFirst(typed.count))
  }

  /// The parser's own descriptions of what it expects, each once, with a blank before them where the text
  /// has none.
  fileprivate func nextWords(_ context: CompletionContext) -> String? {
    let candidates = CompletionCandidates(context, notes)
    var words: [String] = []
    for expectation in notes.expectations {
      guard let word = expectation.hint(candidates) else { continue }
      // An expectation may combine words that were expected one by one before.
      let parts = word.replacing(" or ", with: ", ").split(separator: ", ").map(String.init)
      // After the hyphens of an option only its name is expected.
      let more = parts.filter { part in
        !words.contains(part) && !words.contains(String(part.drop { $0 == "-" }))
      }
      if more.count == parts.count { words.append(word) } else { words += more }
    }
    guard !words.isEmpty else { return nil }
    return (needsBlank ? " " : "") + words.prefix(Self.hintLimit).joined(separator: " | ")
      + (words.count > Self.hintLimit ? " | …" : "")
  }

  private static let hintLimit = 5
}

extension ParserNotes.Expectation {
  fileprivate func hint(_ candidates: CompletionCandidates) -> String? {
    switch self {
    case .statement: nil
    case .word(let word, given: _): candidates.all(for: self).isEmpty ? nil : word
    case .expected(let what, of: _): what.filter { $0 != "'" }
    case .query(let expectation, root: _, within: _): expectation.hint
    case .mapKey: nil
    }
  }
}

extension ParserNotes.QueryExpectation {
  fileprivate var hint: String {
    switch self {
    case .keyword(let word): word
    case .operand: "a value or a property"
    case .collection: "a collection"
    case .path, .step, .linkProperty: "a property"
    case .operation: "an operation"
    case .relation: "an operator"
    case .className: "a class"
    case .key, .mapKey: "a key"
    }
  }
}

extension [Completion] {
  /// The longest common prefix; empty if there are more completions than these.
  package var commonPrefix: String {
    guard var common = first?.text, !contains(where: \.isOneOfMore) else { return "" }
    for completion in dropFirst() {
      common = String(zip(common, completion.text).prefix { $0 == $1 }.map(\.0))
    }
    return common.withoutPartialEscape
  }
}

extension String {
  /// The text without an incomplete escape at its end.
  fileprivate var withoutPartialEscape: String {
    var position = startIndex
    while let start = self[position...].firstIndex(of: "\\") {
      let rest = self[index(after: start)...]
      let length = rest.first == "u" ? 5 : 1
      guard rest.count >= length else { return String(self[..<start]) }
      position = rest.index(rest.startIndex, offsetBy: length)
    }
    return self
  }
}
