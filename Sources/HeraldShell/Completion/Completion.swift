import Herald

/// A completion of the text at the cursor.
package struct Completion: Hashable, Sendable {
  /// The start of the text that the completion replaces, in bytes; that text ends at the cursor.
  package let start: Int
  package let text: String
  /// The text that follows when this is the only completion.
  package let suffix: String
  /// Whether there are more completions of the same kind, too many to be listed.
  package let isOneOfMore: Bool

  package init(start: Int, text: String, suffix: String = "", isOneOfMore: Bool = false) {
    self.start = start
    self.text = text
    self.suffix = suffix
    self.isOneOfMore = isOneOfMore
  }
}

/// Returns all completions at `cursor`, an offset in the UTF-8 of `text`, in the order in which to list
/// them. The text after the cursor is ignored.
///
/// O(text): the text is parsed again.
package func completions(
  _ text: String, cursor: Int, _ context: CompletionContext
) -> [Completion] {
  let typed = Array(text.utf8.prefix(cursor))
  let expansion = AliasExpansion(typed, aliases: context.aliases)
  guard let point = CompletionPoint(expansion.bytes) else { return [] }
  return point.completions(context).compactMap { completion in
    expansion.original(completion.start).map { completion.starting(at: $0) }
  }
}

extension Completion {
  fileprivate func starting(at start: Int) -> Completion {
    Completion(start: start, text: text, suffix: suffix, isOneOfMore: isOneOfMore)
  }
}

extension CompletionPoint {
  func completions(_ context: CompletionContext) -> [Completion] {
    var candidates = CompletionCandidates(context, notes)
    candidates.isAboutVariables = partial.hasPrefix("$")
    var seen: Set<String> = []
    var found: [Completion] = []
    for expectation in notes.expectations {
      if case .expected(let what, of: _) = expectation, let kind = CompletionKind(rawValue: what),
        kind.isFile
      {
        found += files(context, kind)
        continue
      }
      found += keys(for: expectation, candidates).filter { seen.insert($0.text).inserted }
      // A string can only be completed to a file, a key or another string.
      if quote == nil {
        for candidate in candidates.all(for: expectation)
        where candidate.text.hasPrefixIgnoringCase(partial) && seen.insert(candidate.text).inserted
        {
          found.append(Completion(start: start, text: candidate.text, suffix: candidate.suffix))
        }
      }
      found += strings(for: expectation, candidates).filter { seen.insert($0.text).inserted }
    }
    return found
  }

  /// The files in the folder at the start of the name; of stores, those with the name of one if there are any.
  private func files(_ context: CompletionContext, _ kind: CompletionKind) -> [Completion] {
    guard let typed = begun else { return [] }
    let folder = typed.lastIndex(of: "/").map { typed[...$0] } ?? ""
    let begun = typed.dropFirst(folder.count)
    let names = context.files(String(folder)).sorted()
      .filter { $0.hasPrefix(begun) && ($0.first != "." || begun.first == ".") }
    let stores = names.filter { $0.hasSuffix("/") || $0.hasSuffix(".hdb") }
    let shown =
      kind == .file ? names : stores.isEmpty ? names.filter { !$0.hasSuffix("-lock") } : stores
    return shown.map { file(folder + $0) }
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
  /// Whether the text begins with `start`, ignoring case.
  func hasPrefixIgnoringCase(_ start: String) -> Bool {
    hasPrefix(start) || lowercased().hasPrefix(start.lowercased())
  }
}
