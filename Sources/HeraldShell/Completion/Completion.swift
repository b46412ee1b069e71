import Herald

/// One way to go on at the cursor.
package struct Completion: Hashable, Sendable {
  /// Where the text that it takes the place of begins, in bytes; it ends at the cursor.
  package let start: Int
  package let text: String
  /// What is typed after it when there is no other way to go on.
  package let suffix: String
  /// There are more ways to go on of the same kind: too many to be listed.
  package let isOneOfMore: Bool

  package init(start: Int, text: String, suffix: String = "", isOneOfMore: Bool = false) {
    self.start = start
    self.text = text
    self.suffix = suffix
    self.isOneOfMore = isOneOfMore
  }
}

/// All ways to go on at `cursor`, a place in the UTF-8 of `text`, in the order in which to list
/// them. What stands after the cursor is not looked at.
///
/// O(text): every word of it is read again.
package func completions(
  _ text: String, cursor: Int, _ context: CompletionContext
) -> [Completion] {
  guard let point = CompletionPoint(text, cursor: cursor) else { return [] }
  return point.completions(context)
}

extension CompletionPoint {
  func completions(_ context: CompletionContext) -> [Completion] {
    var candidates = Candidates(context, notes)
    candidates.isAboutVariables = partial.hasPrefix("$")
    var seen: Set<String> = []
    var found: [Completion] = []
    for expectation in notes.expectations {
      if case .wanted(Wanted.file.rawValue, of: _) = expectation {
        found += files(context)
        continue
      }
      found += keys(for: expectation, candidates).filter { seen.insert($0.text).inserted }
      // In a string nothing else can stand.
      if quote != nil { continue }
      for candidate in candidates.all(for: expectation)
      where candidate.text.hasPrefixIgnoringCase(partial) && seen.insert(candidate.text).inserted {
        found.append(Completion(start: start, text: candidate.text, suffix: candidate.suffix))
      }
    }
    return found
  }

  /// The files in the folder that the name begins with.
  private func files(_ context: CompletionContext) -> [Completion] {
    guard let typed = begun else { return [] }
    let folder = typed.lastIndex(of: "/").map { typed[...$0] } ?? ""
    let begun = typed.dropFirst(folder.count)
    return context.files(String(folder)).sorted()
      .filter { $0.hasPrefix(begun) && ($0.first != "." || begun.first == ".") }
      .map { file(folder + $0) }
  }

  private func file(_ path: String) -> Completion {
    let isFolder = path.hasSuffix("/")
    let needsQuotes =
      path.visible != path || path.contains { $0.isWhitespace || ";}\"'".contains($0) }
    guard quote != nil || needsQuotes else {
      return Completion(start: start, text: path, suffix: isFolder ? "" : " ")
    }
    let whole = literal(path)
    return Completion(
      start: start, text: String(whole.dropLast()), suffix: isFolder ? "" : String(whole.suffix(1)))
  }
}

extension String {
  /// Whether the text goes on where `start` ends, upper and lower case being the same.
  func hasPrefixIgnoringCase(_ start: String) -> Bool {
    hasPrefix(start) || lowercased().hasPrefix(start.lowercased())
  }
}
