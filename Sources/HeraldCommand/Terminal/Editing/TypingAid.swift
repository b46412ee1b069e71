import HeraldShell

/// What helps a person to type one line: ways to go on, a hint of the next word, colours.
final class TypingAid {
  /// The lines of the statement that were typed before this one, with their ends.
  private let before: String
  let isColored: Bool
  /// What there is in the store and in the shell: asked for once, until it is forgotten.
  private var known: CompletionContext?
  private let makeContext: () -> CompletionContext

  /// Longer texts are pasted, not typed: they are shown as they are.
  private static let limit = 4_096

  init(
    after before: String, isColored: Bool, context: @escaping () -> CompletionContext
  ) {
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

  /// Asks anew for what there is: others have changed it.
  func forget() { known = nil }

  /// - Parameter cursor: a place in the line's UTF-8; so are the starts of what is answered.
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

  /// What to show behind a line at whose end the cursor stands.
  func hint(_ line: String) -> String? {
    isColored && isShort(line) ? HeraldShell.hint(before + line, context) : nil
  }

  func highlights(_ line: String) -> [Highlight] {
    guard isColored, isShort(line) else { return [] }
    let shift = before.utf8.count
    return HeraldShell.highlights(before + line).compactMap { highlight in
      let start = max(highlight.range.lowerBound, shift)
      guard start < highlight.range.upperBound else { return nil }
      return Highlight(
        range: (start - shift)..<(highlight.range.upperBound - shift), style: highlight.style)
    }
  }

  private func isShort(_ line: String) -> Bool {
    before.utf8.count + line.utf8.count <= Self.limit
  }
}
