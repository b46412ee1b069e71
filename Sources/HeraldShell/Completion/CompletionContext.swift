package import Herald

/// The names in the store and in the shell that completion offers, in addition to keywords.
package struct CompletionContext: Sendable {
  package var schema: Schema
  package var variables: [String: Typing]
  package var tokens: [String]
  package var sessions: [String]
  /// The texts of aliases, by their names.
  package var aliases: [String: String] = [:]
  /// The names in a folder; those of folders end with a slash.
  package var files: @Sendable (_ folder: String) -> [String]
  /// The smallest keys of a class that begin with `begun`, at most `limit`.
  var keys: @Sendable (_ className: String, _ begun: BegunKey, _ limit: Int) -> [Value]
  /// Strings of a property that begin with `begun`, at most `limit`, in order.
  var strings:
    @Sendable (_ className: String, _ property: String, _ begun: String, _ limit: Int) -> [String]
  /// The first keys of a map that begin with `begun`, at most `limit`.
  var mapKeys: @Sendable (_ map: PathSyntax, _ begun: String, _ limit: Int) -> [String]

  package init(
    schema: Schema = Schema(), variables: [String: Typing] = [:], tokens: [String] = [],
    sessions: [String] = []
  ) {
    self.schema = schema
    self.variables = variables
    self.tokens = tokens
    self.sessions = sessions
    files = { _ in [] }
    keys = { _, _, _ in [] }
    strings = { _, _, _, _ in [] }
    mapKeys = { _, _, _ in [] }
  }
}
