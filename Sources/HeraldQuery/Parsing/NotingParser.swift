/// A parser that takes notes for completion, hints and colours.
package protocol NotingParser {
  /// The notes; nil if none are needed.
  var notes: ParserNotes? { get }
  /// Whether only blanks follow what was parsed.
  var isAtEndOfText: Bool { get }
}

extension NotingParser {
  /// Whether notes are taken and the text ends here.
  package var isNoted: Bool { notes != nil && isAtEndOfText }

  /// Records what could follow in a statement, if the text ends here.
  package func note(_ expectation: @autoclosure () -> ParserNotes.Expectation) {
    if isNoted { notes?.expect(expectation()) }
  }

  /// Records a keyword of statements that could follow, if the text ends here.
  package func note(word: @autoclosure () -> String) {
    note(.word(word(), given: notes?.condition))
  }
}
