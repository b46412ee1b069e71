package import Herald

/// A piece of output, before it is rendered as text or as JSON.
package enum OutputLine: Sendable {
  case event(Event)
  /// `print`: one value, or several.
  case values([OutputValue])
  /// `show`: objects or plain values, one a row, and the number of further rows.
  case table([OutputValue], more: Int)
  case count(Int)
  case explanation(QueryExplanation)
  /// The time that a statement took.
  case time(Duration)
  case schema([ClassDefinition], [ProjectionDefinition], [QueryDefinition])
  case tokens([TokenDescription])
  case sessions([SessionDescription])
  /// Lines for people, and the same content as a value for programs.
  case report([String], OutputValue)
  /// A commit, or several: the title, what was changed, and the same as a value for programs.
  case commit(String?, [CommitText.Line], OutputValue)
  case help(String)
  case history([String])
  /// A step of the tour begins.
  case step(title: String, text: String)
  /// A remark of the tour on the output before it.
  case remark(String)
  /// A piece of a script that rebuilds the store.
  case script(String)
  case confirmation(String)
  case echo(String)
  /// A statement that prints nothing was carried out; nil without a store.
  case answer(version: Int?)

  package struct TokenDescription: Equatable, Sendable {
    package var name: String
    package var session: String
    package var subject: String
    /// The key paths that restrict it; nil without a restriction.
    package var keyPaths: [String]?
  }

  package struct SessionDescription: Equatable, Sendable {
    package var name: String
    package var version: Int
    package var isCurrent: Bool
    package var autorefreshes: Bool
    package var isInWrite: Bool
  }
}
