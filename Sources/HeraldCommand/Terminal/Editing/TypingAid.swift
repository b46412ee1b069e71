import HeraldShell

/// Completions, hints and colours for one line.
final class TypingAid {
  /// The earlier lines of the statement, with their line ends.
  private let before: String
  let isColored: Bool
  /// The cached names of the store and of the shell.
  private var known: CompletionContext?
  private let makeContext: () -> CompletionContext

  /// The maximum length that is coloured, in bytes: longer texts are pasted rather than typed.
  private static let limit = 4_096

  init(after before: String, isColored: Bool, context: @escaping () -> CompletionContext) {
    self.before = before
    self.isColored = isColored
    makeContext = context
  }

  private var context: CompletionContext {
    if let known { return known }
    let context = makeContext()
    known = context
    return context
  }

  /// Discards the cached names, because others may have changed them.
  func forget() { known = nil }

  /// Returns the completions at `cursor`, an offset in the line's UTF-8, as their starts are.
  func completions(_ line: String, cursor: Int) -> [Completion] {
    let shift = before.utf8.count
    return HeraldShell.completions(before + line, cursor: shift + cursor, context)
      .compactMap { completion in
        guard completion.start >= shift else { return nil }
        return Completion(
          start: completion.start - shift, text: completion.text, suffix: completion.suffix,
          isOneOfMore: completion.isOneOfMore)
      }
  }

  /// Returns the hint to show after a line with the cursor at its end.
  func hint(_ line: String) -> String? {
    isColored && isShort(line) ? HeraldShell.hint(before + line, context) : nil
  }

  func highlights(_ line: String) -> [Highlight] {
    guard isColored, isShort(line) else { return [] }
    let shift = before.utf8.count
    return HeraldShell.highlights(before + line, context).compactMap { highlight in
      let start = max(highlight.range.lowerBound, shift)
      guard start < highlight.range.upperBound else { return nil }
      return Highlight(
        range: (start - shift)..<(highlight.range.upperBound - shift), style: highlight.style)
    }
  }

  private func isShort(_ line: String) -> Bool { before.utf8.count + line.utf8.count <= Self.limit }
}
